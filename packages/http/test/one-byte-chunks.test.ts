// A body in one-byte chunks costs a service neither memory nor time: it is refused after a few thousand chunks.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { sleep } from "@tradepost/runtime";
import { bodyOf, head, sendBytes } from "./support/notes-service.ts";

const PROGRAM = path.join(import.meta.dirname, "support/notes-process.ts");
const CHUNKS = 2_000_000;
const MIB = 1024 * 1024;
const SAMPLE_MS = 20;

// In a hook, because nothing would end the program if all tests were filtered out.
let program: ChildProcess;
let port: number;
beforeAll(async () => {
  program = fork(PROGRAM, { execArgv: ["--conditions=source", "--disable-warning=ExperimentalWarning"] });
  [port] = (await once(program, "message")) as [number];
  // The first requests make the process grow once; this growth is not measured.
  for (let count = 0; count < 200; count += 1) await send("{}", 1);
});
afterAll(() => void program.kill("SIGKILL"));
const residentBytes = () => {
  const status = readFileSync(`/proc/${program.pid}/status`, "utf8");
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kibibytes) * 1024;
};

/** Sends a body of one-byte chunks until the connection ends. Resolves with everything received. */
const send = (caller: string, chunks: number) =>
  sendBytes(
    { port },
    head("POST /v1/notes", "Transfer-Encoding: chunked", "Connection: close")
      .replace("X-Caller: {}", `X-Caller: ${caller}`)
      .concat("1\r\n \r\n".repeat(chunks), "0\r\n\r\n"),
  );

/** Returns the largest growth of the process's memory during the work. */
const growthDuring = async (work: Promise<unknown>) => {
  const before = residentBytes();
  let highest = before;
  let isOver = false;
  void work.finally(() => (isOver = true));
  while (!isOver) {
    highest = Math.max(highest, residentBytes());
    await sleep(SAMPLE_MS);
  }
  return highest - before;
};

test.each([
  ["on one connection", 1, 50],
  // Each connection has sent some data before it is refused.
  ["on twenty connections", 20, 100],
])("two million of them %s are refused and need little memory", async (_how, connections, growthMib) => {
  const sending = Promise.all(Array.from({ length: connections }, () => send("{}", CHUNKS / connections)));
  expect(await growthDuring(sending)).toBeLessThan(growthMib * MIB);
  for (const received of await sending) {
    expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(received).toMatch(/\r\nconnection: close\r\n/i);
    expect(bodyOf(received)).toMatchObject({
      error: { code: "bad_request", message: "The body arrived in too many small chunks." },
    });
  }
});

test("are read up to a few thousand after a refusal, then the connection is closed", async () => {
  const sending = Promise.all(Array.from({ length: 20 }, () => send("", CHUNKS / 20)));
  expect(await growthDuring(sending)).toBeLessThan(100 * MIB);
  for (const received of await sending) expect(received).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
});

test("are accepted up to a few thousand", async () => {
  const received = await send("{}", 4_000);
  expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(bodyOf(received)).toMatchObject({ error: { code: "invalid_json" } });
});
