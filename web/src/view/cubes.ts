// In a demonstration each goal is a cube that the figure follows.

import * as T from "three";
import { document_, goals } from "../store";
import type { FigureView } from "./figure";
import { goalPlace } from "./handles";
import type { Stage } from "./stage";

const SIZE = 0.045; // of the figure

export class Cubes {
  private readonly cubes: T.Mesh[] = [];
  private readonly shape = new T.BoxGeometry(1, 1, 1);
  private readonly edges = new T.EdgesGeometry(this.shape);
  private readonly coat = new T.MeshStandardMaterial({ color: 0xe0533a, roughness: 0.6, transparent: true, opacity: 0.45 });
  private readonly pen = new T.LineBasicMaterial({ color: 0xe0533a });
  figure: FigureView | null = null;

  constructor(private readonly stage: Stage) {}

  /** Called when pose or goals changed. */
  update(): void {
    const chased = document_.value?.demo ? goals.value : [];
    while (this.cubes.length < chased.length) this.cubes.push(this.made());
    this.cubes.forEach((cube, index) => {
      const goal = chased[index];
      cube.visible = goal !== undefined;
      if (!goal) return;
      cube.position.set(...goalPlace(goal).position);
      cube.scale.setScalar(SIZE * (this.figure?.height ?? 1));
    });
  }

  private made(): T.Mesh {
    const cube = new T.Mesh(this.shape, this.coat);
    cube.castShadow = true;
    cube.userData.isMark = true;
    cube.add(new T.LineSegments(this.edges, this.pen));
    this.stage.world.add(cube);
    return cube;
  }
}
