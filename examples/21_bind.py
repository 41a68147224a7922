"""A bare mesh gets a skeleton, weights and a walk; the proof sheet shows what the binding is worth."""

import posable
import posable.view

# The mannequin's surface alone, as a modelling program would give it. Yours: mesh = posable.load_mesh("statue.obj")
surface = posable.figure("mannequin").skins[0]
mesh = posable.Mesh(surface.vertices, surface.faces, "statue", surface.colors)

# A biped's joints are placed in the mesh. The score says how much of a biped was seen, the doubts where to look.
fit = posable.skin.fit_template(mesh, "biped")
print(f"score {fit.score:.2f} of 1", *fit.doubts, sep="\n  ")

# Bone heat gives every vertex its joints; what had to be mended is in the notes. Four joints a vertex suit any engine.
skin = posable.bind(mesh, fit.skeleton, influences=4)
print(skin, *skin.notes, sep="\n  ")
for finding in posable.skin.weights.bad_vertices(skin):
    print(f"  {finding.kind}: {finding.sentence}")

# The other method goes by the way through the flesh instead of what each bone sees; two good bindings differ a little.
by_voxels = posable.bind(mesh, fit.skeleton, "voxel")
print(f"  heat and voxels: {posable.skin.weights.compare_weights(skin, by_voxels).describe()}")

figure = posable.Figure(fit.skeleton, "statue", (skin,))
posable.view.binding_sheet(figure, "sheet.png", joints=["forearm_l", "shin_l", "thigh_l"], size=(240, 240))
posable.save("walking.glb", figure, posable.walk(figure, "human", 2))
