// Runs the gateway as a separate process, so that a test can read its memory.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { migrate } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { createServiceDatabase, createTestBroker, until } from "@tradepost/testing";

const MAIN = path.resolve(import.meta.dirname, "../../src/main.ts");
const NOWHERE = "http://127.0.0.1:9";

/** Resolves when the process is ready. */
export async function startGatewayProcess() {
  const running = new AsyncDisposableStack();
  const [database, broker, port] = await Promise.all([
    createServiceDatabase("gateway"),
    createTestBroker(),
    freePort(),
  ]);
  running.defer(database.drop);
  running.defer(broker.drop);
  const logger = createLogger("test", "silent");
  await migrate({ url: database.ownerUrl, folder: new URL("../../migrations/", import.meta.url), logger });
  const child = spawn(
    process.execPath,
    ["--conditions=source", "--disable-warning=ExperimentalWarning", MAIN],
    {
      stdio: "inherit",
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        LOG_LEVEL: "silent",
        DRAIN_IDLE_MS: "0",
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
    },
  );
  running.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const url = `http://127.0.0.1:${port}`;
  await until("the gateway to be ready", async () => {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    return response?.status === 200;
  });
  return {
    url,
    port,
    /** The resident memory of the process. */
    residentBytes: () => {
      const [, kibibytes] =
        /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
      return Number(kibibytes) * 1024;
    },
    stop: () => running.disposeAsync(),
  };
}

function secret(): string {
  return randomBytes(32).toString("hex");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
