// The proxy in front of several processes of one service.
import http from "node:http";
import { freePort, listenLocally, startFaultProxy } from "../src/index.ts";

let ready: readonly string[] = [];
const serve = (name: string) =>
  listenLocally(
    http.createServer((req, res) => {
      const status = req.url === "/readyz" && !ready.includes(name) ? 503 : 200;
      res.writeHead(status, { connection: "close" }).end(name);
    }),
  );
const [one, two] = [await serve("one"), await serve("two")];
const proxy = await startFaultProxy(one.url, two.url);

afterAll(async () => {
  for (const { stop } of [proxy, one, two]) await stop();
});

test("an outgoing connection cannot take the port of a proxy that refuses connections", async () => {
  // Linux gives outgoing connections ports from 32768 upwards.
  expect(Number(new URL(proxy.url).port)).toBeLessThan(32_768);
});

async function whoResponds(wanted: readonly string[]): Promise<string[]> {
  ready = wanted;
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

test.each(["a process", "a run of tests"])(
  "no port is chosen twice in %s, even if nothing listens on it",
  async (where) => {
    const directory = process.env.TEST_PORTS_DIRECTORY;
    if (where === "a process") delete process.env.TEST_PORTS_DIRECTORY;
    const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()));
    process.env.TEST_PORTS_DIRECTORY = directory;
    expect(new Set(ports).size).toBe(ports.length);
  },
);
