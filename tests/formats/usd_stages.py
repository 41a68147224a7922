"""A USD stage, as text, that has a bit of everything; tests change a word of it."""

from __future__ import annotations

from pathlib import Path

MADE = """#usda 1.0
(
    metersPerUnit = 0.5
    upAxis = "Z"
    startTimeCode = 0
    endTimeCode = 6
    timeCodesPerSecond = 12
)
def SkelRoot "Creature" (prepend apiSchemas = ["SkelBindingAPI"])
{
    double3 xformOp:translate = (1, 2, 3)
    double3 xformOp:translate.timeSamples = { 0: (1, 2, 3), 6: (4, 2, 3) }
    float xformOp:rotateZ = 30
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ"]
    def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        float3 xformOp:scale = (2, 2, 2)
        uniform token[] xformOpOrder = ["xformOp:scale"]
        uniform token[] joints = ["hip", "hip/knee", "hip/knee/tip", "hip/tip"]
        uniform matrix4d[] bindTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((0,1,0,0),(-1,0,0,0),(0,0,1,0),(0,0,1,1)),
            ((0,1,0,0),(-1,0,0,0),(0,0,1,0),(0,0,2,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1))
        ]
        uniform matrix4d[] restTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((0,3,0,0),(-3,0,0,0),(0,0,3,0),(0,0,1,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0.25,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1))
        ]
        rel skel:animationSource = </Creature/Skel/Wave>
        def SkelAnimation "Wave"
        {
            uniform token[] joints = ["hip/tip", "hip/knee"]
            float3[] translations.timeSamples = { 0: [(1, 0, 0), (0, 0, 1)], 6: [(1, 0.5, 0), (0, 0, 1)] }
            quatf[] rotations.timeSamples = {
                0: [(1, 0, 0, 0), (0.70710678, 0, 0, 0.70710678)], 6: [(0.6, 0, 0.8, 0), (0.5, 0.5, 0.5, 0.5)]
            }
            half3[] scales = [(1, 1, 1), (3, 3, 3)]
        }
    }
    def Mesh "Body" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        rel skel:skeleton = </Creature/Skel>
        uniform token[] skel:joints = ["hip/tip", "hip/knee/tip", "hip"]
        uniform token orientation = "leftHanded"
        int[] faceVertexCounts = [5, 3, 2, 4]
        int[] faceVertexIndices = [0, 1, 2, 3, 4, 0, 1, 5, 0, 1, 0, 2, 3, 5]
        int[] holeIndices = [3]
        point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0), (-1,0.5,0), (0,0,2)]
        color3f[] primvars:displayColor = [(1, 0.5, 0)] (interpolation = "constant")
        int[] primvars:skel:jointIndices = [0,1, 1,2, 2,0, 0,1, 1,2, 2,0] (interpolation = "vertex"; elementSize = 2)
        float[] primvars:skel:jointWeights = [1,0, .5,.5, .25,.75, .9,.1, .3,.7, .6,.4] (
            interpolation = "vertex"
            elementSize = 2
        )
        matrix4d primvars:skel:geomBindTransform = ((0,2,0,0),(-2,0,0,0),(0,0,2,0),(0.5,0,0,1))
    }
    def Mesh "Hat" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        rel skel:skeleton = </Creature/Skel>
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0,0,0), (1,0,0), (1,1,0)]
        color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 0, 1)] (interpolation = "vertex")
        int[] primvars:skel:jointIndices = [1, 3] (interpolation = "constant"; elementSize = 2)
        float[] primvars:skel:jointWeights = [0.75, 0.25] (interpolation = "constant"; elementSize = 2)
    }
}
"""


def stage_file(folder: Path, text: str = MADE, *changes: tuple[str, str], name: str = "made.usda") -> Path:
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after)
    path = folder / name
    path.write_text(text)
    return path
