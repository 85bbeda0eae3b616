// An empty route of ours against Node's own server answering the same bytes.
import { fork } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import path from "node:path";
import type { Bench } from "../bench-type.ts";
import { closedLoop } from "../load/closed-loop.ts";
import { requestText } from "../load/connection.ts";
import { inTurns } from "../result.ts";

const CONNECTIONS = 16;
const SERVER = path.resolve(import.meta.dirname, "../baseline/http-server.ts");

export const http: Bench = {
  name: "http",
  what: "an empty route of ours, logged and counted; baseline: node:http answering the same bytes",
  target: "≥ 0.60",
  run: async ({ platform, scale }) => {
    const ours = await startServer("ours", path.join(platform.dataDir, "logs/empty-route.log"));
    const nodes = await startServer("node", path.join(platform.dataDir, "logs/node-http.log"));
    const get = requestText("GET", "/v1/empty", {});
    const run = (url: string) => () =>
      closedLoop({ url, connections: CONNECTIONS, seconds: scale.seconds, request: () => get, expect: 200 });
    try {
      const turns = { scale, programs: () => ({}) };
      return { unit: "requests/s", ...(await inTurns(run(ours.url), run(nodes.url), turns)) };
    } finally {
      await Promise.all([ours.stop(), nodes.stop()]);
    }
  },
};

async function startServer(kind: "ours" | "node", logFile: string) {
  const log = openSync(logFile, "a");
  const child = fork(SERVER, [kind], { stdio: ["ignore", log, log, "ipc"] });
  const [port] = (await once(child, "message")) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
