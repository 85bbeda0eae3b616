// The proxy in front of several processes of one service.
import http from "node:http";
import { listenLocally, startFaultProxy } from "../src/index.ts";

const servers: { isReady: boolean; name: string; stop: () => Promise<void>; url: string }[] = [];

for (const name of ["one", "two"]) {
  const server = http.createServer((req, res) => {
    const { isReady } = servers.find((one) => one.name === name) ?? {};
    res.writeHead(req.url === "/readyz" && !isReady ? 503 : 200, { connection: "close" }).end(name);
  });
  servers.push({ name, isReady: true, ...(await listenLocally(server)) });
}
const proxy = await startFaultProxy(...(servers.map(({ url }) => url) as [string, string]));

afterAll(async () => {
  await proxy.stop();
  for (const { stop } of servers) await stop();
});

test("an outgoing connection cannot take the port of a proxy that refuses connections", async () => {
  // Linux gives outgoing connections ports from 32768 upwards.
  expect(Number(new URL(proxy.url).port)).toBeLessThan(32_768);
});

async function whoResponds(ready: readonly string[]): Promise<string[]> {
  for (const server of servers) server.isReady = ready.includes(server.name);
  const names = new Set<string>();
  for (let count = 0; count < 4; count += 1) names.add(await (await fetch(proxy.url)).text());
  return [...names].sort();
}

test("connections go in turn to the processes that are ready", async () => {
  expect(await whoResponds(["one", "two"])).toEqual(["one", "two"]);
  expect(await whoResponds(["two"])).toEqual(["two"]);
});

test("if no process is ready, connections go to any that listens", async () => {
  expect(await whoResponds([])).toEqual(["one", "two"]);
});
