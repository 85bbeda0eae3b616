// The generated files are up to date with `npm run tool -- docs`.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { generatedFiles } from "../src/generated-files.ts";
import { ROOT } from "../src/root.ts";

test("the generated files are up to date; otherwise run npm run tool -- docs", async () => {
  const files = [...generatedFiles()];
  const isOutdated = await Promise.all(
    files.map(
      async ([name, text]) => (await readFile(path.join(ROOT, name), "utf8").catch(() => "")) !== text,
    ),
  );
  expect(files.filter((_, at) => isOutdated[at]).map(([name]) => name)).toEqual([]);
});
