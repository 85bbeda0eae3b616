// Connections are reused: a TLS handshake costs both sides more than a delivery. A receiver may close an idle connection at any time,
// even while a request is on its way. Such a request is sent once more within its attempt; if that is reset too, the attempt fails.
import { once } from "node:events";
import http2 from "node:http2";
import type { TLSSocket } from "node:tls";
import { Worker } from "node:worker_threads";
import { testCertificate } from "@tradepost/testing";
import { useSending } from "./support/sending.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

// Responds at once, in its own thread, and reports its port and how many connections it has had.
const RECEIVER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:https").createServer(workerData, (req, res) => req.resume().on("end", () => res.end()));
  let connectionCount = 0;
  server.on("connection", () => { connectionCount += 1; });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
  parentPort.on("message", () => parentPort.postMessage(connectionCount));`;

type Behaviour = "responds" | "resets" | "hangs";

const { stopLater, sending, receive: receiveWith, listen } = useSending();
/** Each connection behaves in its own way for each request; the requests of each are collected. */
const receive = async (...connections: Behaviour[][]) => {
  const requests: string[][] = [];
  const receiver = await receiveWith((socket: TLSSocket) => {
    const received: string[] = [];
    const behaviours = connections[requests.push(received) - 1] ?? [];
    // A request fits into one TLS record, so it arrives whole.
    socket.on("data", (request) => {
      const behaviour = behaviours[received.push(request.toString()) - 1];
      if (behaviour === "responds") socket.write(OK);
      if (behaviour === "resets") socket.destroy();
    });
  });
  return { ...receiver, requests };
};

test("that is closed as a request arrives does not fail the attempt, which sends the same bytes again", async () => {
  const receiver = await receive(["responds", "resets"], ["responds"]);
  const send = sending();
  for (const _ of [1, 2]) expect((await send(receiver.url)).outcome).toBe("delivered");
  const [[, lost] = [], [again] = []] = receiver.requests;
  expect(receiver.requests.map(({ length }) => length)).toEqual([2, 1]);
  expect(again).toBe(lost);
});

test("hides no receiver that resets every request", async () => {
  const receiver = await receive(["responds", "resets"], ["resets"]);
  const send = sending();
  await send(receiver.url);
  expect(await send(receiver.url)).toMatchObject({ outcome: "connection_reset", statusCode: null });
  expect(receiver.requests.map(({ length }) => length)).toEqual([2, 1]);
});

// These tests mostly wait, so they run at the same time.
test.concurrent.each<[string, Behaviour[][], number]>([
  ["is not followed by a second request if it hangs", [["responds", "hangs"]], 1],
  ["leaves the attempt its one deadline if the new connection hangs", [["responds", "resets"], ["hangs"]], 2],
])("%s", async (_, connections, count) => {
  const receiver = await receive(...connections);
  const send = sending({ timeoutMs: 2_000 });
  await send(receiver.url);
  expect((await send(receiver.url)).outcome).toBe("timeout");
  expect(receiver.connectionCount()).toBe(count);
  await receiver.untilDisconnected();
});

test("is not assumed for a new connection: its request is sent once", async () => {
  const receiver = await receive(["resets"]);
  expect((await sending()(receiver.url)).outcome).toBe("connection_reset");
  expect(receiver.requests.map(({ length }) => length)).toEqual([1]);
});

test("is not one whose receiver responded before it had read the request", async () => {
  const receiver = await receiveWith((socket) => {
    const isFirst = receiver.connectionCount() === 1;
    socket.once("data", () => {
      // The rest of the first connection's request is never read.
      if (isFirst) socket.pause();
      socket.write(OK);
    });
  });
  const send = sending({ timeoutMs: 3_000 });
  const large = JSON.stringify("x".repeat(8 * 1024 * 1024));
  expect((await send(receiver.url, large)).outcome).toBe("delivered");
  expect((await send(receiver.url)).outcome).toBe("delivered");
  expect(receiver.connectionCount()).toBe(2);
});

test("is used again, also when a response is read before the end of the write is known", async () => {
  const receiver = stopLater(await startOtherThread());
  const send = sending();
  for (let count = 0; count < 50; count += 1) {
    // The end of a write that starts in this phase of the event loop is known only after the next reads.
    await new Promise((resolve) => setImmediate(resolve));
    await send(receiver.url);
  }
  expect(await receiver.connectionCount()).toBe(1);
});

test("is closed when more are idle than four times the attempts at a time, the longest idle first", async () => {
  const receivers = await Promise.all(
    [1, 2, 3, 4, 5].map(() => receive(["responds", "responds"], ["responds"])),
  );
  const send = sending({ concurrency: 1 });
  for (const { url } of receivers) await send(url);
  await receivers[0]?.untilDisconnected();
  for (const { url } of receivers.slice(1)) await send(url);
  expect(receivers.map(({ connectionCount }) => connectionCount())).toEqual([1, 1, 1, 1, 1]);
});

test.each(["200", "500", "307"])(
  "a thousand deliveries to one origin need no more handshakes than concurrent attempts (status %s)",
  async (path) => {
    const receiver = await startCountingReceiver();
    const send = sending({ concurrency: 10 });
    const outcomes: string[] = [];
    let remaining = 1_000;
    const sendUntilDone = async () => {
      while (remaining-- > 0) outcomes.push((await send(receiver.url + path)).outcome);
    };
    await Promise.all(Array.from({ length: 10 }, sendUntilDone));
    expect(outcomes).toEqual(new Array(1_000).fill(path === "200" ? "delivered" : "http_status"));
    expect(receiver.requested).toHaveLength(1_000);
    expect(receiver.protocols.length).toBeLessThanOrEqual(10);
  },
);

test("deliveries use HTTP/1.1, also if the receiver offers HTTP/2", async () => {
  const receiver = await startCountingReceiver();
  expect((await sending()(`${receiver.url}200`)).outcome).toBe("delivered");
  expect(receiver.protocols).toEqual(["http/1.1"]);
});

async function startOtherThread() {
  const { certificate: cert, key } = await testCertificate();
  const thread = new Worker(RECEIVER, { eval: true, workerData: { cert, key } });
  const [port] = await once(thread, "message");
  return {
    url: `https://localhost:${port}/`,
    connectionCount: async (): Promise<number> => {
      thread.postMessage("count");
      const [count] = await once(thread, "message");
      return count;
    },
    stop: () => thread.terminate(),
  };
}

async function startCountingReceiver() {
  const { certificate: cert, key } = await testCertificate();
  const requested: number[] = [];
  // One for each handshake.
  const protocols: unknown[] = [];
  const server = http2.createSecureServer({ cert, key, allowHTTP1: true }, (req, res) => {
    const status = Number(req.url.slice(1));
    requested.push(status);
    req.resume().once("end", () => res.writeHead(status, { location: "/200" }).end("done"));
  });
  server.on("secureConnection", ({ alpnProtocol }) => protocols.push(alpnProtocol));
  return { ...(await listen(server)), requested, protocols };
}
