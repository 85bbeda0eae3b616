// Receives the canary's deliveries: an HTTPS listener on loopback that verifies signatures, and the agent that connects to
// it. It verifies with its own code, since the code that signs would repeat its own errors.
import "reflect-metadata"; // The X.509 library requires it to be loaded first.
import { createHmac, timingSafeEqual, webcrypto } from "node:crypto";
import { once } from "node:events";
import https from "node:https";
import type { AddressInfo } from "node:net";
import * as x509 from "@peculiar/x509";
import type { Logger } from "@tradepost/runtime";
import { Agent, buildConnector } from "undici";
import { CANARY_HOST } from "./canary-store.ts";

const LOOPBACK = "127.0.0.1";
const BODY_BYTES_MAX = 16 * 1024;
const CONNECT_TIMEOUT_MS = 2_000;
// Every replica sends only to its own listener.
const CONNECTIONS_MAX = 4;

/** Returns the agent through which the canary's deliveries are sent. */
export async function startCanaryReceiver(options: { readSecret: () => Promise<string>; logger: Logger }) {
  const { readSecret, logger } = options;
  const tls = await makeCertificate(CANARY_HOST);
  const server = https.createServer({ cert: tls.certificate, key: tls.key }, async (req, res) => {
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
  const agent = agentOnlyTo(port, tls.certificate);
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

/** Connects to this listener, whatever the URL, and trusts only its certificate. */
function agentOnlyTo(port: number, certificate: string): Agent {
  const connect = buildConnector({
    ca: certificate,
    rejectUnauthorized: true,
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

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;
// Longer than any process runs.
const VALID_DAYS = 3_650;

/** Creates a self-signed certificate at each start. Returns it and its key, which is never stored, as PEM. */
async function makeCertificate(hostname: string): Promise<{ certificate: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Tradepost canary",
    // A day ago, in case the clock is set back while the process runs.
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + VALID_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: "dns", value: hostname }]),
    ],
  });
  const key = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { certificate: certificate.toString("pem"), key: x509.PemConverter.encode(key, "PRIVATE KEY") };
}
