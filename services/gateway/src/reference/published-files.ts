// What integrators download from the gateway: the API description and the client that fits it (interface §11).
import { readFile } from "node:fs/promises";
import { type Page, type StaticFile, staticFile } from "@tradepost/http";
import { readServedFile } from "./files.ts";

// A program keeps its copy and asks whether it is still current.
const CACHE_CONTROL = "no-cache";

/** Reads docs/openapi.json, which `npm run docs` writes. */
export async function readApiDescription(): Promise<StaticFile> {
  return staticFile(await readServedFile("openapi.json"), {
    "content-type": "application/json; charset=utf-8",
    "cache-control": CACHE_CONTROL,
  });
}

/** Reads the packed client, for `npm install <gateway>/client.tgz`. Without a file there is no page. */
export async function readClientPackage(file: string | undefined): Promise<Page[]> {
  if (file === undefined) return [];
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new Error(`CLIENT_PACKAGE_FILE: ${file} cannot be read; pack the client first.`, { cause: error });
  });
  const tarball = staticFile(bytes, {
    "content-type": "application/gzip",
    "cache-control": CACHE_CONTROL,
    "cross-origin-resource-policy": "same-origin",
  });
  return [{ path: "/client.tgz", find: () => tarball }];
}
