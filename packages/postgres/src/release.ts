import { readFileSync } from "node:fs";

/** The release of the running code, such as "0.2.0". All packages and services have the same. */
export const RELEASE = versionIn(new URL("../package.json", import.meta.url));

function versionIn(manifest: URL): string {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

/** True if release `a` is newer than release `b`. Both are three numbers with dots. */
export function isNewerRelease(a: string, b: string): boolean {
  const [ofA, ofB] = [a, b].map((release) => release.split(".").map(Number));
  for (const [index, number] of ofA?.entries() ?? []) {
    const other = ofB?.[index] ?? 0;
    if (number !== other) return number > other;
  }
  return false;
}
