// Builds the static files that the gateway serves (interface §15), under a policy that allows nothing inline but one script.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { defineConfig, type Plugin, type Rolldown } from "vite";

export default defineConfig({
  base: "/dashboard/",
  build: {
    // A data: address would violate the policy.
    assetsInlineLimit: 0,
    // One file of 6 KB instead of 32 files, so that no screen lacks its styles because a request failed.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: "es2023",
    rolldownOptions: {
      // Its only directive is "use client", which means nothing here.
      checks: { moduleLevelDirective: false },
      // Three files in place of dozens, because a browser has six connections over HTTP/1.1. The first requests need only one.
      output: {
        codeSplitting: {
          groups: [
            {
              name: "session",
              test: /src\/(session\/(?!use-)|api\/)|packages\/client\/src\/(?!webhooks)/,
              priority: 2,
            },
            { name: "vendor", test: /node_modules\/(?!.*qr\/)/, priority: 1 },
            { name: "shared", test: /src\/(ui|data|format|shell)\//, minShareCount: 4 },
          ],
        },
      },
    },
  },
  // The package's source: nothing has to be built first.
  resolve: {
    alias: { "@tradepost/client": path.resolve("../../packages/client/src") },
  },
  plugins: [inlined(), layered(), painted(), compressed()],
  server: { proxy: { "/v1": "http://127.0.0.1:8080", "/docs": "http://127.0.0.1:8080" } },
});

const EARLY = path.resolve("src/early.js");

/** Puts the script into the page, which would otherwise wait for a second response. The gateway allows it by its hash. */
function inlined(): Plugin {
  return {
    name: "inlined",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html) => {
        const script = readFileSync(EARLY, "utf8").replace(/^ *(\/\/.*)?\n/gm, "");
        const tag = /<script[^>]* src="\/src\/early\.js"><\/script>/;
        if (!tag.test(html)) throw new Error("index.html: no early.js");
        return html.replace(tag, () => `<script>${script}</script>`);
      },
    },
  };
}

/**
 * Lets the browser paint the skeleton of the page with the first response: the styles, for which browsers wait, come after the
 * skeleton. The main module, which the entry imports later, is requested at once.
 */
function painted(): Plugin {
  return {
    name: "painted",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle = {} }) => {
        const main = Object.values(bundle).find((file) => file.type === "chunk" && file.name === "main");
        const [styles] = html.match(/ *<link rel="stylesheet"[^>]*>\n/) ?? [];
        if (main === undefined || styles === undefined)
          throw new Error("index.html: no main.js or no styles");
        const preloads = [...withImports(main.fileName, bundle)]
          .filter((file) => !html.includes(file))
          .map((file) => `    <link rel="modulepreload" crossorigin href="/dashboard/${file}">\n`);
        const early = styles.replace('rel="stylesheet"', 'rel="preload" as="style"');
        return html
          .replace(styles, preloads.join(""))
          .replace("    <script type", `${early}    <script type`)
          .replace("  </body>", `${styles}  </body>`);
      },
    },
  };
}

/** The files of a module and of everything that it imports. */
function withImports(
  fileName: string,
  bundle: Rolldown.OutputBundle,
  found = new Set<string>(),
): ReadonlySet<string> {
  const file = bundle[fileName];
  if (file?.type !== "chunk" || found.has(fileName)) return found;
  found.add(fileName);
  for (const imported of file.imports) withImports(imported, bundle, found);
  return found;
}

/** Puts the order of the layers at the start of the styles, because base.css may not be the first file in the bundle. */
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
