// An empty route of @tradepost/http, compared with node:http.
import { fork } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import path from "node:path";
import { closedLoop } from "../load/closed-loop.ts";
import { requestText } from "../load/connection.ts";
import { compareInTurns } from "../result.ts";
import type { Bench } from "./bench.ts";

const CONNECTIONS = 16;
const SERVER = path.resolve(import.meta.dirname, "../baseline/http-server.ts");

export const http: Bench = {
  name: "http",
  description: "an empty route, logged and counted; baseline: node:http sending the same bytes",
  target: "≥ 0.60",
  run: async ({ platform, scale }) => {
    const tradepost = await startServer("tradepost", path.join(platform.dataDir, "logs/empty-route.log"));
    const node = await startServer("node", path.join(platform.dataDir, "logs/node-http.log"));
    const get = requestText("GET", "/v1/empty", {});
    const run = (url: string) => () =>
      closedLoop({ url, connections: CONNECTIONS, seconds: scale.seconds, request: () => get, expect: 200 });
    try {
      return { unit: "requests/s", ...(await compareInTurns(run(tradepost.url), run(node.url), { scale })) };
    } finally {
      await Promise.all([tradepost.stop(), node.stop()]);
    }
  },
};

async function startServer(kind: "tradepost" | "node", logFile: string) {
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
