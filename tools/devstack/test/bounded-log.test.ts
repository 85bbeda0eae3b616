// The log of a long-running program takes a bounded amount of space.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { until } from "@tradepost/testing";
import { serverProgram } from "../src/process/program.ts";

const LINES = 3_000;
const BYTES_MAX = 8 * 1024;

// Writes a numbered line of 100 bytes each millisecond.
const PROGRAM = `
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    console.log(String(count).padStart(99, "."));
    if (count === ${LINES}) clearInterval(timer);
  }, 1);
`;

test("a log beyond its limit moves to a second file, of which there is one", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "tradepost-log-"));
  const logFile = path.join(directory, "talkative.log");
  const sizes: number[] = [];
  const options = {
    command: process.execPath,
    args: ["-e", PROGRAM],
    env: {},
    logLimit: { bytesMax: BYTES_MAX, checkEveryMs: 10 },
    stopSignal: "SIGTERM",
    stopTimeoutMs: 10_000,
  } as const;
  const ready = { timeoutMs: 10_000, isReady: async () => true };
  const { ended } = await serverProgram(directory, "talkative", options, ready).start();
  const sampling = setInterval(() => sizes.push(statSync(logFile).size), 20);
  await ended.finally(() => clearInterval(sampling));
  const read = () => readFileSync(`${logFile}.1`, "utf8") + readFileSync(logFile, "utf8");
  const numbersOf = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => Number(line.replaceAll(".", "")));
  // The last check may have copied the file and not emptied it yet.
  const kept = await until("the end of the last check", () => {
    const [text, numbers] = [read(), numbersOf(read())];
    return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0)) && text;
  });
  // The program appends again at the start of the emptied file: a hole would be read as zero bytes.
  expect(numbersOf(kept)).not.toContain(Number.NaN);
  expect(kept.length).toBeLessThan((LINES * 100) / 2);
  expect(Math.max(...sizes)).toBeGreaterThan(0);
  rmSync(directory, { recursive: true });
});
