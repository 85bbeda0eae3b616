// Runs the gateway as a separate process, so that a test can read its memory.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createServiceDatabase, createTestBroker, startServiceProcess } from "@tradepost/testing";

const MAIN = path.resolve(import.meta.dirname, "../../src/main.ts");
const NOWHERE = "http://127.0.0.1:9";

/** Resolves when the process is ready. */
export async function startGatewayProcess() {
  const running = new AsyncDisposableStack();
  const [database, broker] = await Promise.all([createServiceDatabase("gateway"), createTestBroker()]);
  running.defer(database.drop);
  running.defer(broker.drop);
  const service = await startServiceProcess(MAIN, {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: "silent",
      GATEWAY_DATABASE_URL: database.serviceUrl,
      AMQP_URL: broker.amqpUrl,
      ORDERS_URL: NOWHERE,
      CONTENT_URL: NOWHERE,
      WEBHOOKS_URL: NOWHERE,
      ORDERS_GATEWAY_SECRET: secret(),
      CONTENT_GATEWAY_SECRET: secret(),
      WEBHOOKS_GATEWAY_SECRET: secret(),
      TOKEN_SIGNING_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    },
  });
  running.defer(async () => void (await service.kill("SIGKILL")));
  return {
    url: service.url,
    port: service.port,
    /** The resident memory of the process. */
    residentBytes: () => {
      const [, kibibytes] =
        /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, "utf8")) ?? [];
      return Number(kibibytes) * 1024;
    },
    stop: () => running.disposeAsync(),
  };
}

function secret(): string {
  return randomBytes(32).toString("hex");
}
