// The servers of a test run leave nothing behind.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { startTestServers } from "@tradepost/devstack";

test("the end of the servers ends what works in their directory, and deletes it", async () => {
  const servers = await startTestServers();
  const data = path.join(servers.directory, "tmp/data");
  mkdirSync(data, { recursive: true });
  const program = ["-e", "setInterval(() => {}, 1000)", data];
  const left = spawn(process.execPath, program, { detached: true, stdio: "ignore" });
  const ended = once(left, "exit");
  await once(left, "spawn");
  await servers.stop();
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(existsSync(servers.directory)).toBe(false);
});
