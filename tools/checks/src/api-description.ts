// Builds the API description, docs/openapi.json, from the route tables of the four services (interface §11).
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Example, openApiDocument } from "@tradepost/api-description";
import { routeTable } from "@tradepost/api-description/route-table";
import { ROOT } from "./root.ts";

export const API_DESCRIPTION_FILE = path.join(ROOT, "docs/openapi.json");
const EXAMPLES_FILE = path.join(ROOT, "docs/openapi-examples.json");

export function apiDescription(): Record<string, unknown> {
  const examples = JSON.parse(readFileSync(EXAMPLES_FILE, "utf8")) as Record<string, Example>;
  const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    version: string;
  };
  return openApiDocument(routeTable, examples, version);
}

/** Returns the description with one line for each object that fits. */
export function apiDescriptionText(): string {
  const biome = path.join(ROOT, "node_modules/.bin/biome");
  // biome.json excludes docs/openapi.json.
  const args = ["format", "--stdin-file-path=description.json"];
  const input = JSON.stringify(apiDescription());
  return execFileSync(biome, args, { cwd: ROOT, input, encoding: "utf8", maxBuffer: 16 * 1024 ** 2 });
}
