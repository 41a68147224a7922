// Dual quaternion skinning: the matrices of a vertex' bones are blended as dual quaternions (Kavan et al. 2008, with
// the shorter way for each against the heaviest bone) and three's own shader goes on with the one rigid motion.

import * as T from "three";
import type { Blend } from "../schema";

const FUNCTIONS = `
#if defined( USE_SKINNING ) && defined( DUAL_QUATERNION )
vec4 turnOf( mat4 m ) {
  vec4 q = sqrt( max( vec4( 0.0 ), vec4(
    1.0 + m[0][0] - m[1][1] - m[2][2], 1.0 - m[0][0] + m[1][1] - m[2][2],
    1.0 - m[0][0] - m[1][1] + m[2][2], 1.0 + m[0][0] + m[1][1] + m[2][2] ) ) ) * 0.5;
  // The largest part keeps its sign, the others follow from sums and differences across the diagonal.
  if ( q.w >= q.x && q.w >= q.y && q.w >= q.z )
    return vec4( m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0], 4.0 * q.w * q.w ) / ( 4.0 * q.w );
  if ( q.x >= q.y && q.x >= q.z )
    return vec4( 4.0 * q.x * q.x, m[0][1] + m[1][0], m[2][0] + m[0][2], m[1][2] - m[2][1] ) / ( 4.0 * q.x );
  if ( q.y >= q.z )
    return vec4( m[0][1] + m[1][0], 4.0 * q.y * q.y, m[1][2] + m[2][1], m[2][0] - m[0][2] ) / ( 4.0 * q.y );
  return vec4( m[2][0] + m[0][2], m[1][2] + m[2][1], 4.0 * q.z * q.z, m[0][1] - m[1][0] ) / ( 4.0 * q.z );
}
void addDual( mat4 m, float weight, vec4 pivot, inout vec4 real, inout vec4 dual ) {
  vec4 q = turnOf( m );
  vec3 t = m[3].xyz;
  float w = dot( q, pivot ) < 0.0 ? - weight : weight;
  real += w * q;
  dual += 0.5 * w * vec4( t * q.w + cross( t, q.xyz ), - dot( t, q.xyz ) );
}
mat4 rigid( vec4 q, vec4 d ) {
  float size = 1.0 / length( q );
  q *= size; d *= size;
  vec3 t = 2.0 * ( q.w * d.xyz - d.w * q.xyz + cross( q.xyz, d.xyz ) );
  vec3 x = vec3( 1.0 - 2.0 * ( q.y * q.y + q.z * q.z ), 2.0 * ( q.x * q.y + q.w * q.z ), 2.0 * ( q.x * q.z - q.w * q.y ) );
  vec3 y = vec3( 2.0 * ( q.x * q.y - q.w * q.z ), 1.0 - 2.0 * ( q.x * q.x + q.z * q.z ), 2.0 * ( q.y * q.z + q.w * q.x ) );
  vec3 z = vec3( 2.0 * ( q.x * q.z + q.w * q.y ), 2.0 * ( q.y * q.z - q.w * q.x ), 1.0 - 2.0 * ( q.x * q.x + q.y * q.y ) );
  return mat4( vec4( x, 0.0 ), vec4( y, 0.0 ), vec4( z, 0.0 ), vec4( t, 1.0 ) );
}
#endif
`;

const BLEND = `
#if defined( USE_SKINNING ) && defined( DUAL_QUATERNION )
  vec4 pivot = turnOf( boneMatX );
  float most = skinWeight.x;
  if ( skinWeight.y > most ) { most = skinWeight.y; pivot = turnOf( boneMatY ); }
  if ( skinWeight.z > most ) { most = skinWeight.z; pivot = turnOf( boneMatZ ); }
  if ( skinWeight.w > most ) { pivot = turnOf( boneMatW ); }
  vec4 real = vec4( 0.0 );
  vec4 dual = vec4( 0.0 );
  addDual( boneMatX, skinWeight.x, pivot, real, dual );
  addDual( boneMatY, skinWeight.y, pivot, real, dual );
  addDual( boneMatZ, skinWeight.z, pivot, real, dual );
  addDual( boneMatW, skinWeight.w, pivot, real, dual );
  mat4 blended = rigid( real, dual );
  boneMatX = blended; boneMatY = blended; boneMatZ = blended; boneMatW = blended;
#endif
`;

let patched = false;
function patch(): void {
  if (patched) return;
  patched = true;
  T.ShaderChunk.skinning_pars_vertex += FUNCTIONS;
  T.ShaderChunk.skinbase_vertex += BLEND;
}

const shadows = new WeakMap<T.Mesh, T.MeshDepthMaterial>();

export function setBlend(meshes: readonly T.Mesh[], blend: Blend): void {
  patch();
  for (const mesh of meshes) {
    if (!(mesh instanceof T.SkinnedMesh)) continue;
    const shadow = shadows.get(mesh) ?? new T.MeshDepthMaterial();
    shadows.set(mesh, shadow);
    mesh.customDepthMaterial = shadow;
    for (const material of [mesh.material, shadow].flat() as T.Material[]) define(material, blend);
  }
}

export function define(material: T.Material, blend: Blend): void {
  const { DUAL_QUATERNION: _, ...others } = material.defines ?? {};
  material.defines = blend === "dual_quaternion" ? { ...others, DUAL_QUATERNION: "" } : others;
  material.needsUpdate = true;
}
