// Packs packages/client for a gateway on this machine, as `npm pack` there does.
import { execFile } from "node:child_process";
import { cpSync, renameSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../settings/root.ts";
import { buildOnce } from "./build-once.ts";

const PACKAGE = path.join(ROOT, "packages/client");
const FILES = ["package.json", "README.md", "tsconfig.build.json", "write-api-types.mjs", "src"];
const BASE_SETTINGS = path.join(ROOT, "tsconfig.base.json");
/** The name in the gateway's path. The name that npm gives the file contains the version. */
const TARBALL = "client.tgz";

/** Resolves to the file for CLIENT_PACKAGE_FILE. */
export async function packClient(log: (line: string) => void = () => {}): Promise<string> {
  const directory = await buildOnce({
    name: "client",
    sources: [...FILES.map((name) => path.join(PACKAGE, name)), BASE_SETTINGS],
    build: async (directory) => {
      log("Packing the client …");
      await pack(directory);
    },
  });
  return path.join(directory, TARBALL);
}

/** Packs a copy, because programs that pack at the same time would write the same `dist`. */
async function pack(directory: string): Promise<void> {
  const packages = path.join(directory, "packages");
  const copy = path.join(packages, "client");
  for (const name of FILES) cpSync(path.join(PACKAGE, name), path.join(copy, name), { recursive: true });
  cpSync(BASE_SETTINGS, path.join(directory, path.basename(BASE_SETTINGS)));
  // The compiler is in the repository's node_modules, in which the copy is too.
  symlinkSync(path.join(PACKAGE, "node_modules"), path.join(copy, "node_modules"));
  const { stdout } = await promisify(execFile)("npm", ["pack", "--silent", "--offline"], { cwd: copy });
  const name = stdout.trim().split("\n").at(-1) ?? "";
  renameSync(path.join(copy, name), path.join(directory, TARBALL));
  rmSync(packages, { recursive: true });
}
