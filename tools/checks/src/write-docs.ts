// `npm run docs`: writes the files that are generated from code. A test fails if one is out of date. `npm run docs release`
// also makes the API description the one of the last release, with which later ones are compared.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { apiDescriptionText, RELEASED_DESCRIPTION_FILE } from "./api-description.ts";
import { generatedFiles } from "./generated-files.ts";
import { ROOT } from "./root.ts";

for (const [name, text] of await generatedFiles()) {
  const file = path.join(ROOT, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
if (process.argv.includes("release")) await writeFile(RELEASED_DESCRIPTION_FILE, apiDescriptionText());
