// Builds the static files that the gateway serves (interface §15), under a policy that allows nothing inline.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

export default defineConfig({
  base: "/dashboard/",
  build: {
    // A data: address or an inline script would violate the policy.
    assetsInlineLimit: 0,
    // One file of 6 KB instead of 32: a screen is never without its styles because a request failed.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: "es2023",
    // Its only directive is "use client", which means nothing here.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  // The package's source: nothing has to be built first.
  resolve: {
    alias: { "@tradepost/client/operations": path.resolve("../../packages/client/src/operations.ts") },
  },
  plugins: [layered(), compressed()],
  server: { proxy: { "/v1": "http://127.0.0.1:8080", "/docs": "http://127.0.0.1:8080" } },
});

/** The styles begin with the order of the layers: the first file that is bundled may not be base.css. */
function layered(): Plugin {
  return {
    name: "layered",
    apply: "build",
    enforce: "post",
    generateBundle: (_, bundle) => {
      for (const file of Object.values(bundle)) {
        if (file.type === "asset" && file.fileName.endsWith(".css"))
          file.source = `@layer base,components;${file.source}`;
      }
    },
  };
}

/** Writes `main.js.br` next to each `main.js`. */
function compressed(): Plugin {
  let directory = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved: ({ build }) => {
      directory = build.outDir;
    },
    closeBundle: () => {
      const files = readdirSync(directory, { recursive: true, encoding: "utf8" });
      for (const file of files.filter((name) => /\.(css|html|js|svg)$/.test(name))) {
        const source = path.join(directory, file);
        writeFileSync(`${source}.br`, brotliCompressSync(readFileSync(source)));
      }
    },
  };
}
