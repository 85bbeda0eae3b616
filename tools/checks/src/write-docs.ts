// `npm run tool -- docs`: writes the files that are generated from code. A test fails if one is out of date.
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { generatedFiles } from "./generated-files.ts";
import { ROOT } from "./root.ts";

for (const [name, text] of generatedFiles()) {
  const file = path.join(ROOT, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
// The types are generated from the description that was just written.
execFileSync(process.execPath, [path.join(ROOT, "packages/client/write-api-types.mjs")], {
  stdio: "inherit",
});
