// The content service in a separate process, as `npm start` runs it, with its own database and vhost.
import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { migrate } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { createServiceDatabase, createTestBroker, signedClient, until } from "@tradepost/testing";

const SERVICE = path.resolve(import.meta.dirname, "../..");
const STARTED_WITHIN_MS = 120_000;

export type ContentProcess = Awaited<ReturnType<typeof startContentProcess>>;

export async function startContentProcess() {
  const running = new AsyncDisposableStack();
  const [database, broker] = await Promise.all([createServiceDatabase("content"), createTestBroker()]);
  running.defer(database.drop);
  running.defer(broker.drop);
  const logger = createLogger("test", "silent");
  await migrate({ url: database.ownerUrl, folder: new URL("../../migrations/", import.meta.url), logger });
  const mediaDir = await mkdtemp(path.join(os.tmpdir(), "tradepost-media-"));
  running.defer(() => rm(mediaDir, { recursive: true, force: true }));
  const secret = randomBytes(32).toString("hex");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const flags = ["--max-semi-space-size=8", "--max-old-space-size=768", "--conditions=source"];
  const child = spawn(process.execPath, [...flags, "--disable-warning=ExperimentalWarning", "src/main.ts"], {
    cwd: SERVICE,
    env: {
      PORT: String(port),
      DRAIN_IDLE_MS: "0",
      LOG_LEVEL: "error",
      MALLOC_ARENA_MAX: "1",
      CONTENT_DATABASE_URL: database.serviceUrl,
      AMQP_URL: broker.amqpUrl,
      GATEWAY_SECRET: secret,
      CONTENT_MEDIA_DIR: mediaDir,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  running.defer(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("the content service could not be started");
  await until("the service to be ready", () => isReady(url), STARTED_WITHIN_MS);
  return {
    pid,
    secret,
    newTenant: (tenantId: string = randomUUID()) => ({
      tenantId,
      ...signedClient(url, secret, { tenantId }),
    }),
    kill: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      await ended;
    },
    stop: () => running.disposeAsync(),
  };
}

async function isReady(url: string): Promise<boolean> {
  return await fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
