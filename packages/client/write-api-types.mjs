// Writes src/generated/api.ts, the types of the API description, if it is missing or out of date. Each npm script runs this
// first, and so do the build and the Dockerfile.
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const DESCRIPTION = new URL("../../docs/openapi.json", import.meta.url);
const TYPES = fileURLToPath(new URL("src/generated/api.ts", import.meta.url));
// Each installation writes this file, and may bring another version of the generator.
const INSTALLED = new URL("../../node_modules/.installed", import.meta.url);
const HEADER = "// Generated from docs/openapi.json by write-api-types.mjs. Do not edit.\n";

// A copy of the package without the description keeps the types that it has.
if (existsSync(DESCRIPTION) && isOutdated()) await writeTypes();

function isOutdated() {
  return timeOf(TYPES) < Math.max(timeOf(DESCRIPTION), timeOf(INSTALLED));
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function writeTypes() {
  const { default: openapiTypeScript, astToString } = await import("openapi-typescript");
  const types = await openapiTypeScript(readFileSync(DESCRIPTION, "utf8"), { defaultNonNullable: false });
  // The name has the process id, because two programs may write at the same time.
  const unfinished = `${TYPES}.${process.pid}`;
  writeFileSync(unfinished, HEADER + astToString(types));
  renameSync(unfinished, TYPES);
}
