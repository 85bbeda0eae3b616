// `node copy-documents.ts FOLDER`: copies the documentation and what it links to, for the image of the gateway. Imports no package.
import { cpSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findDocuments } from "./find-documents.ts";

const [folder = ""] = process.argv.slice(2);
const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const { files, missing } = findDocuments(root);
if (missing.length > 0)
  throw new Error(`The documentation links to files that are missing: ${missing.join(", ")}`);
for (const name of files) cpSync(path.join(root, name), path.join(folder, name));
