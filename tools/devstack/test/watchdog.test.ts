// What `npm start` does about a service that lives but does not answer.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { answersOk } from "../src/platform/service-processes.ts";
import { SILENCE_LIMITS, silenceAfter } from "../src/process/await-silence.ts";
import { holdable } from "../src/process/holdable.ts";
import { claimPorts } from "../src/process/ports.ts";
import { launch, type Startable, waitUntilReady } from "../src/process/running.ts";
import { type Kept, keepRunning } from "../src/process/supervisor.ts";

// Long enough that a healthy process on a busy machine answers in time.
const LIMITS = { silenceMs: 8_000, everyMs: 50, probeTimeoutMs: 4_000 };

// A service that answers, spins for ever when it is asked to, and notes that it was asked to stop.
const PROGRAM = `
  let healthz = 200;
  const http = require("node:http");
  process.on("SIGTERM", () => { console.log("asked to stop"); process.exit(0); });
  http.createServer((req, res) => {
    if (req.url === "/spin") for (;;);
    if (req.url === "/sick") healthz = 503;
    res.writeHead(healthz).end();
  }).listen(Number(process.env.PORT), "127.0.0.1");
`;

describe("a service that lives but does not answer /healthz", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "tradepost-watchdog-"));
  const logFile = path.join(directory, "log");
  const said: string[] = [];
  let url = "";
  let program: Startable;
  let kept: Kept;

  beforeAll(async () => {
    const { port } = await claimPorts(path.join(directory, "ports.json"), ["port"]);
    url = `http://127.0.0.1:${port}`;
    program = {
      name: "freezing",
      answersHealthz: (withinMs) => answersOk(url, "/healthz", withinMs),
      start: async (signal) => {
        const running = launch({
          name: "freezing",
          command: process.execPath,
          args: ["-e", PROGRAM],
          env: { PORT: String(port) },
          cwd: directory,
          logFile,
          pidFile: path.join(directory, "pid"),
          stopSignal: "SIGTERM",
          stopWithinMs: 10_000,
        });
        const what = { name: "freezing", logFile, withinMs: 60_000 };
        await waitUntilReady(running, what, () => answersOk(url, "/healthz"), signal);
        return running;
      },
    };
    kept = await keep(program);
  });
  afterAll(async () => {
    await kept.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const keep = (startable: Startable) =>
    keepRunning(
      startable,
      { say: (line) => said.push(line), changed: () => undefined },
      new AbortController().signal,
      LIMITS,
    );

  async function untilStartedAgain(before: number | undefined): Promise<void> {
    const pid = await until("another process", () => kept.pid() !== before && kept.pid());
    expect(await answersOk(url, "/healthz", 30_000)).toBe(true);
    expect(said.splice(0)).toEqual([
      "freezing did not answer /healthz for 8 s and is started again.",
      `freezing runs again, as process ${pid}.`,
    ]);
    expect(() => process.kill(before ?? 0, 0)).toThrow("ESRCH");
  }

  test("is started again when the process is stopped", async () => {
    const before = kept.pid();
    process.kill(before ?? 0, "SIGSTOP");
    await untilStartedAgain(before);
  });

  test("is started again when its event loop spins", async () => {
    const before = kept.pid();
    const spin = fetch(`${url}/spin`).catch(() => "cut off");
    await untilStartedAgain(before);
    expect(await spin).toBe("cut off");
  });

  test("is started again when it answers with an error", async () => {
    const before = kept.pid();
    await fetch(`${url}/sick`);
    await untilStartedAgain(before);
  });

  test("is named as ended, not as silent, when it ends by itself", async () => {
    const before = kept.pid();
    process.kill(before ?? 0, "SIGKILL");
    const pid = await until("another process", () => kept.pid() !== before && kept.pid());
    expect(said.splice(0)).toEqual([
      "freezing ended (signal SIGKILL) and is started again.",
      `freezing runs again, as process ${pid}.`,
    ]);
  });

  test("is left alone when it answers again in time", async () => {
    const before = kept.pid();
    process.kill(before ?? 0, "SIGSTOP");
    expect(await answersOk(url, "/healthz", 500)).toBe(false);
    process.kill(before ?? 0, "SIGCONT");
    for (let probe = 0; probe < 20; probe += 1) expect(await answersOk(url, "/healthz", 30_000)).toBe(true);
    expect([kept.pid(), said]).toEqual([before, []]);
  });

  test("is not watched while it stops, and counts as a death that nobody caused", async () => {
    await kept.stop();
    expect(readFileSync(logFile, "utf8")).toContain("asked to stop");
    const held = holdable(program);
    kept = await keep(held.startable);
    const before = kept.pid();
    process.kill(before ?? 0, "SIGSTOP");
    await untilStartedAgain(before);
    expect(held.diedByItself()).toBe(1);
  });
});

describe("how long a service has been silent", () => {
  const failed = (tookMs: number) => ({ hasAnswered: false, tookMs });

  test("is 15 s before it is started again", () => {
    expect(SILENCE_LIMITS.silenceMs).toBe(15_000);
  });

  test("adds up over probes that fail in a row, fast ones and slow ones", () => {
    expect(
      [1_000, 6_000, 6_000].reduce((ms, tookMs) => silenceAfter(ms, failed(tookMs), SILENCE_LIMITS), 0),
    ).toBe(13_000);
  });

  test("begins again with an answer", () => {
    expect(silenceAfter(14_000, { hasAnswered: true, tookMs: 5_900 }, SILENCE_LIMITS)).toBe(0);
  });

  test("begins again after a time in which the watching process stood still itself", () => {
    expect(silenceAfter(14_000, failed(600_000), SILENCE_LIMITS)).toBe(0);
  });
});
