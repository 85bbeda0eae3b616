import { until } from "@tradepost/testing";
import { manageProcess } from "../src/process/managed-process.ts";
import type { RunningProcess } from "../src/process/program.ts";

test("stops a program that becomes ready after stop was called during its restart", async () => {
  const processes: (RunningProcess & { hasEnded: boolean })[] = [];
  let startCount = 0;
  const restart = Promise.withResolvers<void>();
  const program = {
    name: "restarting",
    start: async () => {
      startCount += 1;
      if (startCount > 1) await restart.promise;
      processes.push(fakeProcess(processes.length + 1));
      return processes.at(-1) as RunningProcess;
    },
  };
  const events = { log: () => undefined, restarted: () => undefined };
  const managed = await manageProcess(program, events, new AbortController().signal);
  managed.kill();
  await until("the restart", () => startCount === 2);
  const stopped = managed.stop();
  restart.resolve();
  await stopped;
  expect(processes.map(({ hasEnded }) => hasEnded)).toEqual([true, true]);
});

function fakeProcess(pid: number) {
  const ended = Promise.withResolvers<string>();
  const process = {
    pid,
    hasEnded: false,
    ended: ended.promise,
    kill: () => {
      process.hasEnded = true;
      ended.resolve("signal SIGKILL");
    },
    stop: async () => process.kill(),
  };
  return process;
}
