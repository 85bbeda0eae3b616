// Keeps the results of builds from the repository's sources in .cache until the sources change.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../settings/root.ts";

interface Build {
  /** The folder of its results, in .cache. */
  readonly name: string;
  /** The files and folders that the build reads. Only their changes cause a new build. */
  readonly sources: readonly string[];
  /** Writes the results into the empty directory. */
  readonly build: (directory: string) => Promise<void>;
}

/** Resolves to the directory with the results. Two programs may build at the same time. */
export async function buildOnce({ name, sources, build }: Build): Promise<string> {
  const finished = path.join(ROOT, ".cache", name, fingerprint(sources));
  if (existsSync(finished)) return finished;
  const unfinished = `${finished}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  await build(unfinished);
  try {
    renameSync(unfinished, finished);
  } catch (error) {
    // Another program was faster, and built the same files.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(finished)) throw error;
  }
  return finished;
}

function fingerprint(sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesIn))
    hash.update(`${path.relative(ROOT, file)}\n`).update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

function filesIn(source: string): string[] {
  if (!statSync(source).isDirectory()) return [source];
  const entries = readdirSync(source, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"));
  return files.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
}
