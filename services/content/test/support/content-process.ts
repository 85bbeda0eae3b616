// The content service in a separate process, as `npm start` runs it, with its own database and vhost.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import {
  createServiceDatabase,
  createTestBroker,
  signedClient,
  startServiceProcess,
} from "@tradepost/testing";

const SERVICE = path.resolve(import.meta.dirname, "../..");

export type ContentProcess = Awaited<ReturnType<typeof startContentProcess>>;

export async function startContentProcess() {
  const running = new AsyncDisposableStack();
  const [database, broker] = await Promise.all([createServiceDatabase("content"), createTestBroker()]);
  running.defer(database.drop);
  running.defer(broker.drop);
  const mediaDir = await mkdtemp(path.join(os.tmpdir(), "tradepost-media-"));
  running.defer(() => rm(mediaDir, { recursive: true, force: true }));
  const secret = randomBytes(32).toString("hex");
  const service = await startServiceProcess(path.join(SERVICE, "src/main.ts"), {
    cwd: SERVICE,
    nodeFlags: ["--max-semi-space-size=8", "--max-old-space-size=768", "--expose-gc"],
    env: {
      LOG_LEVEL: "error",
      MALLOC_ARENA_MAX: "1",
      CONTENT_DATABASE_URL: database.serviceUrl,
      AMQP_URL: broker.amqpUrl,
      GATEWAY_SECRET: secret,
      CONTENT_MEDIA_LINK_SECRETS: secret,
      CONTENT_MEDIA_DIR: mediaDir,
    },
  });
  running.defer(async () => void (await service.kill("SIGKILL")));
  return {
    pid: service.pid,
    secret,
    newTenant: (tenantId: string = randomUUID()) => ({
      tenantId,
      ...signedClient(service.url, secret, { tenantId }),
    }),
    kill: service.kill,
    stop: () => running.disposeAsync(),
  };
}
