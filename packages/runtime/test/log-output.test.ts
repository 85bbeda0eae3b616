// The log of a process whose standard output accepts nothing: a full disk, a pipe that is not read.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { sleep } from "../src/index.ts";

const LOGGER = new URL("../src/logger.ts", import.meta.url).href;

/** A program with a `logger`, as arguments of Node. */
function program(source: string): string[] {
  return [
    "--input-type=module",
    "--eval",
    `import { createLogger } from ${JSON.stringify(LOGGER)};
    const logger = createLogger("test");
    ${source}`,
  ];
}

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Resolves with the exit code, or with the name of the signal that ended the process. */
async function exitOf(child: ChildProcess): Promise<number | string> {
  children.push(child);
  const [code, signal] = await once(child, "exit");
  return code ?? signal;
}

function linesOf(output: string): Record<string, unknown>[] {
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test.each([
  ["ends by itself", "logger.info('hello'); setTimeout(() => { logger.info('again'); }, 500);", 0],
  ["exits after a fatal error", "logger.fatal('hello'); process.exit(3);", 3],
  ["exits later", "logger.warn('hello'); setTimeout(() => process.exit(3), 500);", 3],
])("a process whose log is on a full disk %s", async (_, source, code) => {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, program(source), { stdio: ["ignore", full, "inherit"] });
  closeSync(full);
  expect(await exitOf(child)).toBe(code);
});

test("what a full disk did not take is written when there is space again", async () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), "log-"));
  const file = path.join(directory, "log");
  writeFileSync(file, "");
  const LINES = 80;
  const source = `
    for (let n = 1; n <= ${LINES}; n += 1) logger.info({ n }, "line");
    process.stdin.once("data", () => {
      logger.warn("none has to follow");
      process.stderr.write("logged");
    });
    process.stdin.on("end", () => logger.info("last"));`;
  // A limit on the size of its files (8 blocks of 512 bytes), at which a write fails as on a full disk.
  const script = 'trap "" XFSZ; ulimit -f 8; exec "$0" "$@" >> "$LOG"';
  const child = spawn("sh", ["-c", script, process.execPath, ...program(source)], {
    stdio: ["pipe", "ignore", "pipe"],
    env: { ...process.env, LOG: file },
  });
  while (statSync(file).size < 4_096) await sleep(20);
  child.stdin.write("x");
  await once(child.stderr, "data");
  const first = readFileSync(file, "utf8");
  truncateSync(file);
  while (!readFileSync(file, "utf8").includes("none has to follow")) await sleep(20);
  child.stdin.end();
  expect(await exitOf(child)).toBe(0);
  const numbers = linesOf(first + readFileSync(file, "utf8")).map(({ n }) => n);
  const expected = Array.from({ length: LINES }, (_, index) => index + 1);
  expect(numbers).toEqual([...expected, undefined, undefined]);
});

// 40 MB: a process keeps less than half of them. Short lines fill its buffer to the last character.
const FLOOD = `
  const filler = "x".repeat(1_900);
  for (let n = 1; n <= 40_000; n += 1) {
    logger.info({ n, ...(n % 2 === 0 && { filler }) }, "line");
    if (n % 500 === 0) await new Promise(setImmediate);
  }
  process.stderr.write("done");`;

test("a log that nobody reads takes bounded memory, and its gap is logged", async () => {
  const child = spawn(process.execPath, program(FLOOD), { stdio: ["ignore", "pipe", "pipe"] });
  await once(child.stderr, "data");
  const lines = linesOf(await text(child.stdout));
  const gap = lines.pop();
  expect(gap).toMatchObject({ level: "warn", msg: "the log has a gap: standard output took no lines" });
  const numbers = lines.map(({ n }) => Number(n));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(lines.length + Number(gap?.lines)).toBe(40_000);
  expect(lines.length).toBeLessThan(20_000);
});

test("a process whose log nobody reads can exit", async () => {
  const source = `process.on("SIGTERM", () => {}); ${FLOOD} setTimeout(() => process.exit(0), 1_500);`;
  const child = spawn(process.execPath, program(source), { stdio: ["ignore", "pipe", "ignore"] });
  expect(await exitOf(child)).toBe("SIGTERM");
});
