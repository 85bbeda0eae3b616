// The API description that GET /v1/openapi.json responds with (interface §11).
import { type StaticFile, staticFile } from "@tradepost/http";
import { readServedFile } from "./files.ts";

/** Reads docs/openapi.json, which `npm run docs` writes. */
export async function readApiDescription(): Promise<StaticFile> {
  return staticFile(await readServedFile("openapi.json"), {
    "content-type": "application/json; charset=utf-8",
    // A client keeps its copy and asks whether it is still current.
    "cache-control": "no-cache",
  });
}
