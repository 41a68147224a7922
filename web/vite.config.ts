import { defineConfig } from "vite";

// three stands in viewer.js, for the page as well as for exported pages that play a clip: it is carried only once.
const THREE = "posableViewer.three";
const ADDON = /^three\/addons\//;

export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  plugins: [
    {
      name: "viewer-first",
      apply: "build",
      transformIndexHtml: () => [{ tag: "script", attrs: { defer: true, src: "./viewer.js" }, injectTo: "head-prepend" }],
    },
  ],
  build: {
    outDir: "../src/posable/studio/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the page's content policy forbids data: addresses
    cssCodeSplit: false, // else the styles would be put in by the script, which the policy forbids too
    modulePreload: { polyfill: false },
    sourcemap: true,
    target: "es2022",
    rollupOptions: {
      external: (id) => id === "three" || ADDON.test(id),
      output: { format: "iife", sourcemapExcludeSources: true, globals: (id) => (id === "three" ? THREE : "posableViewer") },
    },
  },
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8123", ws: true }, "/api": "http://127.0.0.1:8123", "/solver": "http://127.0.0.1:8123" } },
});
