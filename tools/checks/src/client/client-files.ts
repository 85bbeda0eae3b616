// The generated files of packages/client, as `npm run docs` writes them and as they are in the repository.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { generateClient } from "./generate-client.ts";

const GENERATED = path.resolve(import.meta.dirname, "../../../../packages/client/src/generated");

/** Writes the files. */
export async function writeClientFiles(description: Readonly<Record<string, unknown>>): Promise<void> {
  await mkdir(GENERATED, { recursive: true });
  for (const [name, text] of Object.entries(await generateClient(description))) {
    await writeFile(path.join(GENERATED, name), text);
  }
}

/** Returns the names of the files that differ from what would be written. */
export async function outdatedClientFiles(description: Readonly<Record<string, unknown>>): Promise<string[]> {
  const files = Object.entries(await generateClient(description));
  const isOutdated = await Promise.all(
    files.map(
      async ([name, text]) => (await readFile(path.join(GENERATED, name), "utf8").catch(() => "")) !== text,
    ),
  );
  return files.filter((_, index) => isOutdated[index]).map(([name]) => name);
}
