// Restarts a program that runs but does not respond.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { until } from "@tradepost/testing";
import { respondsOk } from "../src/platform/service-program.ts";
import {
  LIVENESS_LIMITS,
  type ManagedProcess,
  manageProcess,
  unresponsiveAfter,
} from "../src/process/managed-process.ts";
import { claimPorts } from "../src/process/ports.ts";
import { type Program, serverProgram } from "../src/process/program.ts";
import { pausable } from "../src/process/supervisor.ts";

// Long enough that a healthy process responds in time on a busy machine.
const LIMITS = { unresponsiveMs: 3_000, intervalMs: 50, probeTimeoutMs: 1_500 };

// Spins forever after GET /spin, responds with 503 after GET /sick, and logs SIGTERM.
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

const directory = mkdtempSync(path.join(tmpdir(), "tradepost-watchdog-"));
const { port } = await claimPorts(path.join(directory, "ports.json"), ["port"]);

describe("a process that runs but does not respond to /healthz", () => {
  const logFile = path.join(directory, "freezing.log");
  const lines: string[] = [];
  const url = `http://127.0.0.1:${port}`;
  const options = {
    command: process.execPath,
    args: ["-e", PROGRAM],
    env: { PORT: String(port) },
    stopSignal: "SIGTERM",
    stopTimeoutMs: 10_000,
  } as const;
  const ready = { timeoutMs: 60_000, isReady: () => respondsOk(url, "/healthz") };
  const program: Program = {
    ...serverProgram(directory, "freezing", options, ready),
    isLive: (timeoutMs) => respondsOk(url, "/healthz", timeoutMs),
  };
  let managed: ManagedProcess;

  beforeAll(async () => {
    managed = await manage(program);
  });
  afterAll(async () => {
    await managed.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const manage = (program: Program) =>
    manageProcess(
      program,
      { log: (line) => lines.push(line), restarted: () => undefined },
      new AbortController().signal,
      LIMITS,
    );

  async function untilRestarted(before: number | undefined): Promise<void> {
    const pid = await until("another process", () => managed.pid() !== before && managed.pid());
    expect(await respondsOk(url, "/healthz", 30_000)).toBe(true);
    expect(lines.splice(0)).toEqual([
      "freezing did not respond to /healthz for 3 s; restarting.",
      `freezing runs again, as process ${pid}.`,
    ]);
    expect(() => process.kill(before ?? 0, 0)).toThrow("ESRCH");
  }

  test("is restarted when it is stopped by SIGSTOP", async () => {
    const before = managed.pid();
    process.kill(before ?? 0, "SIGSTOP");
    await untilRestarted(before);
  });

  test("is restarted when its event loop spins", async () => {
    const before = managed.pid();
    const spin = fetch(`${url}/spin`).catch(() => "cut off");
    await untilRestarted(before);
    expect(await spin).toBe("cut off");
  });

  test("is restarted when it responds with an error", async () => {
    const before = managed.pid();
    await fetch(`${url}/sick`);
    await untilRestarted(before);
  });

  test("is reported as ended when it exits by itself", async () => {
    const before = managed.pid();
    process.kill(before ?? 0, "SIGKILL");
    const pid = await until("another process", () => managed.pid() !== before && managed.pid());
    expect(lines.splice(0)).toEqual([
      "freezing ended (signal SIGKILL); restarting.",
      `freezing runs again, as process ${pid}.`,
    ]);
  });

  test("is not restarted when it responds again in time", async () => {
    const before = managed.pid();
    process.kill(before ?? 0, "SIGSTOP");
    expect(await respondsOk(url, "/healthz", 500)).toBe(false);
    process.kill(before ?? 0, "SIGCONT");
    for (let probe = 0; probe < 20; probe += 1) expect(await respondsOk(url, "/healthz", 30_000)).toBe(true);
    expect([managed.pid(), lines]).toEqual([before, []]);
  });

  test("is not watched while it stops, and counts as an unexpected exit", async () => {
    await managed.stop();
    expect(readFileSync(logFile, "utf8")).toContain("asked to stop");
    const paused = pausable(program);
    managed = await manage(paused.program);
    const before = managed.pid();
    process.kill(before ?? 0, "SIGSTOP");
    await untilRestarted(before);
    expect(paused.unexpectedExits()).toBe(1);
  });
});

describe("how long a process has been unresponsive", () => {
  const failed = (tookMs: number) => ({ hasResponded: false, tookMs });

  test("is 15 s before a restart", () => {
    expect(LIVENESS_LIMITS.unresponsiveMs).toBe(15_000);
  });

  test.each([
    ["the sum of consecutive failed probes, fast and slow", [1_000, 6_000, 6_000].map(failed), 13_000],
    ["0 after a response", [failed(14_000), { hasResponded: true, tookMs: 5_900 }], 0],
    ["0 after the watching process itself was suspended", [failed(14_000), failed(600_000)], 0],
  ])("is %s", (_what, probes, unresponsiveMs) => {
    const after = (ms: number, probe: (typeof probes)[number]) =>
      unresponsiveAfter(ms, probe, LIVENESS_LIMITS);
    expect(probes.reduce(after, 0)).toBe(unresponsiveMs);
  });
});
