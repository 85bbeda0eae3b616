// The content service and the webhooks service as processes that a test can crash at a fail point and restart. They are not
// supervised, so a crashed process stays down until the test restarts it.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { forAllServices, type RunningProcess, respondsOk, serviceProgram } from "@tradepost/devstack";
import {
  createServiceDatabase,
  createTestBroker,
  openTestPool,
  signedClient,
  startReceiver,
  until,
} from "@tradepost/testing";
import { connect } from "amqplib";
import { createServiceFiles } from "./services.ts";

export type CrashingService = "content" | "webhooks";
export type CrashPlatform = Awaited<ReturnType<typeof startCrashPlatform>>;

const SETTINGS = {
  LOG_LEVEL: "warn",
  DRAIN_IDLE_MS: "0",
  // A canary would reach fail points.
  CANARY_EVERY_MS: "0",
  WEBHOOKS_RETRY_SCHEDULE: "20ms",
  WEBHOOKS_SWEEP_GRACE_MS: "500",
};

/** Starts the platform. Resolves when both services are ready. */
export async function startCrashPlatform() {
  // Stops the parts that were started if a later step fails.
  await using ended = new AsyncDisposableStack();
  const files = createServiceFiles(SETTINGS);
  ended.defer(files.remove);
  const [content, webhooks, broker] = await Promise.all([
    createServiceDatabase("content"),
    createServiceDatabase("webhooks"),
    createTestBroker(),
  ]);
  const databases = { content, webhooks };
  for (const one of [content, webhooks, broker]) ended.defer(one.drop);
  const pools = { content: openTestPool(content.url, 2), webhooks: openTestPool(webhooks.url, 2) };
  ended.defer(async () => void (await Promise.all([pools.content.end(), pools.webhooks.end()])));
  const connection = await connect(broker.amqpUrl);
  ended.defer(() => connection.close());
  const channel = await connection.createChannel();
  const receiver = await startReceiver();
  ended.defer(() => receiver.stop());

  const ports = await files.claimPorts(["content", "webhooks"]);
  const { settings, secrets } = files;
  const running = new Map<CrashingService, RunningProcess>();
  ended.defer(() => {
    for (const one of running.values()) one.kill();
  });
  const urlOf = (service: CrashingService) => `http://127.0.0.1:${ports[service]}`;

  const failAtFile = (service: CrashingService) => path.join(files.dataDir, `run/${service}.fail-at`);

  /** Resolves when the process is alive. It dies at the fail point `at`, or at the one that `failAt` names later. */
  const start = async (service: CrashingService, at = ""): Promise<RunningProcess> => {
    const forTests = { TRADEPOST_FAIL_AT_FILE: failAtFile(service), EVENTS_TALLY_EVERY_MS: "1000" };
    writeFileSync(failAtFile(service), at);
    const program = serviceProgram(service, service, ports[service], {
      ...{ ...files, amqpUrl: broker.amqpUrl, databaseUrl: databases[service].serviceUrl },
      settings: { ...settings, everyService: { ...settings.everyService, ...forTests } },
      serviceUrls: forAllServices(""),
    });
    const started = await program.start();
    running.set(service, started);
    void started.ended.then(() => running.get(service) === started && running.delete(service));
    return started;
  };
  const untilReady = (service: CrashingService) =>
    until(`${service} to be ready`, () => respondsOk(urlOf(service), "/readyz"));
  for (const result of await Promise.allSettled([start("content"), start("webhooks")]))
    if (result.status === "rejected") throw result.reason;
  await Promise.all([untilReady("content"), untilReady("webhooks")]);

  const kept = ended.move();
  return {
    receiver,
    broker,
    channel,
    ...pools,
    /** Returns a client of the service that acts as an owner of the tenant. */
    as: (service: CrashingService, tenantId: string) =>
      signedClient(urlOf(service), secrets.gatewaySecrets[service], { tenantId }),
    /** Makes the running process die when it next reaches the fail point. `ended` resolves with the way it ended. */
    failAt: (service: CrashingService, at: string) => {
      const failing = running.get(service);
      if (failing === undefined) throw new Error(`${service} does not run`);
      writeFileSync(failAtFile(service), at);
      return { ended: failing.ended };
    },
    /** Starts the service, which dies at the fail point. Resolves to how it exited. */
    startUntil: async (service: CrashingService, at: string) => {
      try {
        return await (await start(service, at)).ended;
      } catch (error) {
        // The process may die before it responds.
        const [, reason] = /did not start \((signal \w+)\)/.exec(String(error)) ?? [];
        if (reason === undefined) throw error;
        return reason;
      }
    },
    /** Starts the services that are not running. Resolves when they are ready. */
    startAgain: async (...services: readonly CrashingService[]) => {
      for (const service of services) {
        if (!running.has(service)) await start(service);
        await untilReady(service);
      }
    },
    kill: async (service: CrashingService) => {
      const one = running.get(service);
      one?.kill();
      await one?.ended;
    },
    pidOf: (service: CrashingService) => running.get(service)?.pid,
    logOf: files.logOf,
    stop: () => kept.disposeAsync(),
  };
}
