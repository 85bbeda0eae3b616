// Receives the canary's deliveries: an HTTPS listener on loopback that verifies signatures, and the agent that connects to it.
// Instead of a certificate, both share a key made at each start. The listener verifies with its own code, because the signing
// code would not notice its own errors.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { Logger } from "@tradepost/runtime";
import { Agent, buildConnector } from "undici";
import { CANARY_HOST } from "./canary-store.ts";

const LOOPBACK = "127.0.0.1";
const BODY_BYTES_MAX = 16 * 1024;
const CONNECT_TIMEOUT_MS = 2_000;
const CONNECTIONS_MAX = 4;
// Node supports pre-shared keys only up to TLS 1.2.
const TLS = { ciphers: "ECDHE-PSK-CHACHA20-POLY1305:PSK-AES256-GCM-SHA384", maxVersion: "TLSv1.2" } as const;

export async function startCanaryReceiver(options: { readSecret: () => Promise<string>; logger: Logger }) {
  const { readSecret, logger } = options;
  const psk = randomBytes(32);
  const server = https.createServer({ ...TLS, pskCallback: () => psk }, async (req, res) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of req as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > BODY_BYTES_MAX) return void res.writeHead(413).end();
        chunks.push(chunk);
      }
      const signature = String(req.headers["x-service-signature"]);
      const isSigned = isSignature(signature, Buffer.concat(chunks), await readSecret());
      res.writeHead(isSigned ? 204 : 401).end();
    } catch (error) {
      logger.warn({ err: error }, "could not receive a canary");
      res.writeHead(500).end();
    }
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.listen(0, LOOPBACK);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = agentOnlyTo(port, psk);
  return {
    agent,
    stop: async () => {
      await agent.destroy();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Whatever the URL, only the listener has the key. */
function agentOnlyTo(port: number, psk: Buffer): Agent {
  const connect = buildConnector({
    ...TLS,
    pskCallback: () => ({ psk, identity: "canary" }),
    checkServerIdentity: () => undefined,
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
  });
  return new Agent({
    connections: CONNECTIONS_MAX,
    pipelining: 1,
    connect: (target, callback) =>
      connect({ ...target, hostname: LOOPBACK, port: String(port), servername: CANARY_HOST }, callback),
  });
}

function isSignature(received: string, body: Buffer, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const actual = Buffer.from(received);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
