// Connections are reused: a TLS handshake costs both sides more than a delivery.
import http2 from "node:http2";
import { testCertificate } from "@tradepost/testing";
import { listening, useSending } from "./support/sending.ts";

const CONCURRENCY = 10;

const { stopLater, sending } = useSending();
test.each(["200", "500", "307"])(
  "a thousand deliveries to one origin need no more handshakes than concurrent attempts (status %s)",
  async (path) => {
    const receiver = stopLater(await startCountingReceiver());
    const send = sending({ concurrency: CONCURRENCY });
    const outcomes: string[] = [];
    let remaining = 1_000;
    const sendUntilDone = async () => {
      while (remaining-- > 0) outcomes.push((await send(receiver.url + path)).outcome);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, sendUntilDone));
    expect(outcomes).toEqual(new Array(1_000).fill(path === "200" ? "delivered" : "http_status"));
    expect(receiver.requestCount()).toBe(1_000);
    expect(receiver.handshakeCount()).toBeLessThanOrEqual(CONCURRENCY);
  },
);

test("deliveries use HTTP/1.1, also if the receiver offers HTTP/2", async () => {
  const receiver = stopLater(await startCountingReceiver());
  expect((await sending()(`${receiver.url}200`)).outcome).toBe("delivered");
  expect(receiver.protocols()).toEqual(["http/1.1"]);
});

async function startCountingReceiver() {
  const { certificate: cert, key } = await testCertificate();
  let requestCount = 0;
  const protocols: unknown[] = [];
  const server = http2.createSecureServer({ cert, key, allowHTTP1: true }, (req, res) => {
    requestCount += 1;
    const status = Number(req.url.slice(1));
    req.resume().once("end", () => res.writeHead(status, { location: "/200" }).end("done"));
  });
  server.on("secureConnection", ({ alpnProtocol }) => protocols.push(alpnProtocol));
  return {
    ...(await listening(server)),
    requestCount: () => requestCount,
    handshakeCount: () => protocols.length,
    protocols: () => protocols,
  };
}
