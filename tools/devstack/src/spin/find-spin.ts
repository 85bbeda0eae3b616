// Finds the model checker Spin: an installed one, or on Debian and its derivatives the distribution's package, unpacked into a cache.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { unpackedPackages } from "../debian/debian-packages.ts";

/**
 * Resolves to the path of Spin, or to undefined if it is neither installed nor available as a package. Rejects when the package
 * cannot be fetched, or if gcc is missing, which compiles Spin's output.
 */
export async function findSpin(log: (line: string) => void): Promise<string | undefined> {
  if (!prints("gcc", "--version", "")) throw new Error("there is no gcc");
  if (prints("spin", "-V", "Spin Version")) return "spin";
  const found = await unpackedPackages({ name: "spin", install: "spin" }, log);
  return found && path.join(found.tree, "usr/bin/spin");
}

/** Other programs may have the same name. */
function prints(program: string, argument: string, text: string): boolean {
  try {
    return execFileSync(program, [argument], { encoding: "utf8", stdio: "pipe" }).includes(text);
  } catch {
    return false;
  }
}
