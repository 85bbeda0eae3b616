// Reads a folder of migrations. A line `-- include: @tradepost/<package>/sql/<file>.sql` includes that file, which services share.
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

/** Returns the SQL of each migration in the folder, in order, by the name of its file without `.sql`. */
export async function readMigrations(folder: URL): Promise<Map<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const texts = await Promise.all(files.map((file) => readWithIncludes(new URL(file, folder))));
  return new Map(files.map((file, index) => [path.basename(file, ".sql"), texts[index] ?? ""]));
}

const INCLUDE = /^-- include: (\S+)$/;

async function readWithIncludes(file: URL): Promise<string> {
  // The including package depends on the included one, so the file is found as the including package would import it.
  const { resolve } = createRequire(file);
  const lines = (await readFile(file, "utf8")).split("\n").map(async (line) => {
    const included = INCLUDE.exec(line)?.[1];
    return included === undefined ? line : await readFile(resolve(included), "utf8");
  });
  return (await Promise.all(lines)).join("\n");
}
