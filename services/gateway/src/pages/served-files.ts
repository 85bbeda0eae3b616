// The build copies the files that the gateway serves into dist, because an image has neither docs/ nor the development packages.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const SOURCES = {
  "openapi.json": () => here("../../../../docs/openapi.json"),
  "start.js": () => here("./reference/start.js"),
  "page.css": () => here("./reference/page.css"),
  "swagger-ui.css": () => require.resolve("swagger-ui-dist/swagger-ui.css"),
  "swagger-ui-bundle.js": () => require.resolve("swagger-ui-dist/swagger-ui-bundle.js"),
} as const;

export type FileName = keyof typeof SOURCES;

/** Relative to dist/pages. */
const COPIES = "../files/";

export async function readServedFile(name: FileName): Promise<Buffer> {
  const isBuilt = import.meta.url.endsWith(".js");
  return await readFile(isBuilt ? here(COPIES + name) : SOURCES[name]());
}
