// The proxy in front of several processes of one service.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type FaultProxy, startFaultProxy } from "../src/index.ts";

const servers = ["one", "two"].map((name) => {
  const state = { name, isReady: true };
  const server = http.createServer((req, res) => {
    const status = req.url === "/readyz" && !state.isReady ? 503 : 200;
    res.writeHead(status, { connection: "close" }).end(name);
  });
  return { state, server };
});
let proxy: FaultProxy;

beforeAll(async () => {
  const urls: string[] = [];
  for (const { server } of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  proxy = await startFaultProxy(...(urls as [string, string]));
});

afterAll(async () => {
  await proxy.stop();
  for (const { server } of servers) server.close();
});

test("an outgoing connection cannot take the port of a proxy that refuses connections", async () => {
  // Linux gives outgoing connections ports from 32768 upwards.
  expect(Number(new URL(proxy.url).port)).toBeLessThan(32_768);
});

async function whoResponds(ready: readonly string[]): Promise<string[]> {
  for (const { state } of servers) state.isReady = ready.includes(state.name);
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
