// The faults of one broker and one Postgres server: processes end, connections break, servers lose their data or run out of memory or
// disk, and receivers fail.
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { type Behaviour, type FaultProxy, requestManagement } from "@tradepost/testing";
import type { ChaosPlatform } from "../platform.ts";
import type { Fault, FaultContext } from "./fault.ts";

type Act = (context: FaultContext) => unknown;

/** Does something, undoes it when the fault has lasted, and waits until the platform works again. */
function lasting(does: Act, undoes: Act, factor = 1): Fault["inject"] {
  return async (context) => {
    await does(context);
    await sleep(factor * context.durationMs);
    await undoes(context);
    await context.platform.untilReady();
  };
}

const nothing: Act = () => undefined;

const kill =
  (name: string): Act =>
  ({ platform }) =>
    platform.process(name).kill({ pause: true });

const resume =
  (name: string, whileDown: Act = nothing): Act =>
  (context) =>
    context.platform.process(name).resume(async () => void (await whileDown(context)));

function restart(name: string): Fault["inject"] {
  return async ({ platform }) => {
    await platform.process(name).restart();
    await platform.untilReady();
  };
}

const control =
  (...words: string[]): Act =>
  ({ platform }) =>
    platform.rabbitmq.control(...words);

const deleteOn =
  (...resources: readonly string[]): Act =>
  async ({ platform: { rabbitmq } }) => {
    for (const resource of resources) await requestManagement(rabbitmq.managementUrl, "DELETE", resource);
  };

const receiverDoes =
  (behaviour: Behaviour): Act =>
  ({ webhookObserver }) =>
    webhookObserver.behave(behaviour);
const [receiverFails, receiverRecovers] = [receiverDoes(() => 500), receiverDoes(() => 200)];

/** Connections over which nothing passes, three times as long as other faults last. */
function blackhole(names: readonly string[]): Fault["inject"] {
  const onEach =
    (act: (proxy: FaultProxy) => unknown): Act =>
    async ({ platform }) => {
      for (const name of names) await act(platform.proxies[name] as FaultProxy);
    };
  return lasting(
    onEach((proxy) => proxy.blackhole()),
    onEach((proxy) => proxy.restore()),
    3,
  );
}

const KILLS = 5;

function killOften(service: string): Fault["inject"] {
  return async ({ platform, durationMs }) => {
    for (let count = 0; count < KILLS; count += 1) {
      platform.process(`${service}-${(count % 2) + 1}`).kill();
      await sleep(durationMs / KILLS);
    }
    await platform.untilReady();
  };
}

export async function restartOneByOne(platform: ChaosPlatform): Promise<void> {
  for (const { name } of platform.services) {
    await platform.process(name).restart();
    await platform.untilReady();
  }
}

async function emptyStore({ platform: { rabbitmq } }: FaultContext): Promise<void> {
  for (const name of await readdir(rabbitmq.storeDir))
    await rm(path.join(rabbitmq.storeDir, name), { recursive: true, force: true });
}

async function resetConnections({ platform }: FaultContext): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    for (const proxy of Object.values(platform.proxies)) {
      proxy.reset();
      await sleep(100);
    }
  }
  await platform.untilReady();
}

async function closeConnections({ platform: { rabbitmq } }: FaultContext): Promise<void> {
  const connections = await requestManagement(rabbitmq.managementUrl, "GET", "/connections");
  for (const { name } of connections as { name: string }[]) {
    const resource = `/connections/${encodeURIComponent(name)}`;
    await requestManagement(rabbitmq.managementUrl, "DELETE", resource).catch(() => undefined);
  }
}

const MEMORY = "set_vm_memory_high_watermark";
const DISK = "set_disk_free_limit";
const DEAD_LETTERING = "ok = supervisor:terminate_child(rabbit_sup, rabbit_fifo_dlx_sup).";
const QUEUES = ["webhooks.events", "webhooks.deliveries", "content.replay"];
const RETRY_QUEUES = ["1s", "2s", "3s"].map((label) => `/queues/%2F/webhooks.retry.${label}/contents`);

export const faults: readonly Fault[] = [
  ...SERVICES.map(
    (service): Fault => ({
      ...{ name: `kill -9 ${service}`, mayFailRequests: true, inject: killOften(service) },
      ...(service === "orders" && { isShort: true }),
    }),
  ),
  { name: "graceful restart, one by one", inject: ({ platform }) => restartOneByOne(platform) },
  { name: "broker kill -9", inject: lasting(kill("rabbitmq"), resume("rabbitmq")) },
  { name: "broker stopped and started", inject: restart("rabbitmq") },
  { name: "broker wiped", isShort: true, inject: lasting(kill("rabbitmq"), resume("rabbitmq", emptyStore)) },
  {
    ...{ name: "postgres kill -9", mayFailRequests: true },
    inject: lasting(kill("postgres"), resume("postgres")),
  },
  { name: "postgres restarted", mayFailRequests: true, inject: restart("postgres") },
  { name: "TCP connections reset", mayFailRequests: true, inject: resetConnections },
  {
    name: "blackhole before rabbitmq",
    inject: blackhole(SERVICES.map((service) => `${service}→rabbitmq`)),
  },
  {
    ...{ name: "blackhole before postgres", mayFailRequests: true },
    inject: blackhole(SERVICES.map((service) => `${service}→postgres`)),
  },
  {
    ...{ name: "blackhole behind the gateway", mayFailRequests: true },
    inject: blackhole(["gateway→orders", "gateway→content", "gateway→webhooks"]),
  },
  { name: "broker memory alarm", inject: lasting(control(MEMORY, "0.000001"), control(MEMORY, "0.6")) },
  { name: "broker disk full", inject: lasting(control(DISK, "1000000GB"), control(DISK, "50MB")) },
  ...QUEUES.map((queue) => ({
    name: `queue ${queue} deleted`,
    inject: lasting(deleteOn(`/queues/%2F/${queue}`), nothing, 0.5),
  })),
  { name: "consumers' connections closed", inject: lasting(closeConnections, nothing, 0.5) },
  {
    // On RabbitMQ 3.10, deleting a queue right after it was declared can end this supervisor. Retries then stay in their
    // queues, and the sweep replaces them. After a restart of the broker the old ones are delivered as well.
    name: "broker's dead-lettering stopped",
    inject: async (context) => {
      await context.platform.rabbitmq.control("eval", DEAD_LETTERING);
      await lasting(receiverFails, receiverRecovers)(context);
      await sleep(2 * context.durationMs);
      await restart("rabbitmq")(context);
    },
  },
  {
    name: "retry queues purged",
    inject: lasting(receiverFails, async (context) => {
      await deleteOn(...RETRY_QUEUES)(context);
      receiverRecovers(context);
    }),
  },
  ...(["hang", "reset"] as const).map((reaction) => {
    const begins = receiverDoes(() => reaction);
    return { name: `receiver ${reaction}s`, inject: lasting(begins, receiverRecovers) };
  }),
  { name: "receiver responds 500", inject: lasting(receiverFails, receiverRecovers) },
];
