// Textures and inline buffers of a GLB decoded straight from its bytes: the page's content policy forbids the blob: and
// data: addresses that three's own loader would ask for.

import * as T from "three";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { GLTFLoaderPlugin, GLTFParser } from "three/addons/loaders/GLTFLoader.js";

interface Asset {
  textures?: { source?: number; sampler?: number; name?: string; extensions?: Record<string, { source?: number }> }[];
  buffers?: { uri?: string }[];
  images?: { bufferView?: number; mimeType?: string; uri?: string }[];
  samplers?: { magFilter?: number; minFilter?: number; wrapS?: number; wrapT?: number }[];
}

const FILTERS: Record<number, T.MagnificationTextureFilter | T.MinificationTextureFilter> = {
  9728: T.NearestFilter,
  9729: T.LinearFilter,
  9984: T.NearestMipmapNearestFilter,
  9985: T.LinearMipmapNearestFilter,
  9986: T.NearestMipmapLinearFilter,
  9987: T.LinearMipmapLinearFilter,
};
const WRAPS: Record<number, T.Wrapping> = {
  33071: T.ClampToEdgeWrapping,
  33648: T.MirroredRepeatWrapping,
  10497: T.RepeatWrapping,
};

/** What reads the GLB of figures and things: textures from its bytes, buffers that meshoptimizer has compressed. */
export function glbLoader(): GLTFLoader {
  return new GLTFLoader().register(imagesFromBytes).setMeshoptDecoder(MeshoptDecoder);
}

function imagesFromBytes(parser: GLTFParser): GLTFLoaderPlugin {
  const asset = parser.json as Asset;
  const plain = parser.loadBuffer.bind(parser);
  parser.loadBuffer = (index) => {
    const inline = inlineBytes(asset.buffers?.[index]?.uri);
    return inline ? Promise.resolve(inline) : plain(index);
  };
  return { name: "posable_images", loadTexture: (index) => texture(parser, index) };
}

async function texture(parser: GLTFParser, index: number): Promise<T.Texture> {
  const asset = parser.json as Asset;
  const said = asset.textures?.[index];
  const source = said?.extensions?.EXT_texture_webp?.source ?? said?.source ?? -1;
  const image = asset.images?.[source];
  const sampler = asset.samplers?.[said?.sampler ?? -1] ?? {};
  const made = new T.Texture(await bitmap(parser, image));
  made.flipY = false;
  made.name = said?.name ?? "";
  made.magFilter = (FILTERS[sampler.magFilter ?? 9729] ?? T.LinearFilter) as T.MagnificationTextureFilter;
  made.minFilter = (FILTERS[sampler.minFilter ?? 9987] ?? T.LinearMipmapLinearFilter) as T.MinificationTextureFilter;
  made.wrapS = WRAPS[sampler.wrapS ?? 10497] ?? T.RepeatWrapping;
  made.wrapT = WRAPS[sampler.wrapT ?? 10497] ?? T.RepeatWrapping;
  made.generateMipmaps = made.minFilter !== T.NearestFilter && made.minFilter !== T.LinearFilter;
  made.needsUpdate = true;
  parser.associations.set(made, { textures: index });
  return made;
}

type Image = NonNullable<Asset["images"]>[number];

async function bitmap(parser: GLTFParser, image: Image | undefined): Promise<ImageBitmap> {
  const bytes = await imageBytes(parser, image);
  try {
    if (!bytes) throw new Error("no bytes");
    return await createImageBitmap(new Blob([bytes], { type: image?.mimeType ?? "" }), {
      colorSpaceConversion: "none",
      premultiplyAlpha: "none",
    });
  } catch {
    return createImageBitmap(new ImageData(new Uint8ClampedArray([190, 190, 190, 255]), 1, 1)); // a picture nobody can read: plain grey
  }
}

async function imageBytes(parser: GLTFParser, image: Image | undefined): Promise<ArrayBuffer | null> {
  if (image?.bufferView !== undefined) return parser.getDependency("bufferView", image.bufferView) as Promise<ArrayBuffer>;
  return inlineBytes(image?.uri);
}

function inlineBytes(uri = ""): ArrayBuffer | null {
  const inline = /^data:[^,]*;base64,(.*)$/s.exec(uri)?.[1];
  return inline ? Uint8Array.from(atob(inline), (letter) => letter.charCodeAt(0)).buffer : null;
}
