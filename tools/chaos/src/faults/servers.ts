// RabbitMQ and Postgres are killed or restarted, lose their data, or run out of memory or disk.
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { type Behaviour, type FaultProxy, requestManagement } from "@tradepost/testing";
import type { ChaosPlatform } from "../platform.ts";
import type { Fault, FaultContext } from "./fault.ts";

const serverFaults: readonly Fault[] = [
  { name: "broker kill -9", inject: killBroker(async () => {}) },
  {
    name: "broker stopped and started",
    inject: async ({ platform }) => {
      await platform.process("rabbitmq").restart();
      await platform.untilReady();
    },
  },
  {
    name: "broker wiped",
    isShort: true,
    inject: killBroker(async ({ platform }) => emptyDirectory(platform.rabbitmq.storeDir)),
  },
  {
    name: "postgres kill -9",
    mayFailRequests: true,
    inject: async ({ platform, durationMs }) => {
      platform.process("postgres").kill({ pause: true });
      await sleep(durationMs);
      await platform.process("postgres").resume();
      await platform.untilReady();
    },
  },
  {
    name: "postgres restarted",
    mayFailRequests: true,
    inject: async ({ platform }) => {
      await platform.process("postgres").restart();
      await platform.untilReady();
    },
  },
];

const alarmFaults: readonly Fault[] = [
  {
    name: "broker memory alarm",
    inject: async ({ platform, durationMs }) => {
      await platform.rabbitmq.control("set_vm_memory_high_watermark", "0.000001");
      await sleep(durationMs);
      await platform.rabbitmq.control("set_vm_memory_high_watermark", "0.6");
    },
  },
  {
    name: "broker disk full",
    inject: async ({ platform, durationMs }) => {
      await platform.rabbitmq.control("set_disk_free_limit", "1000000GB");
      await sleep(durationMs);
      await platform.rabbitmq.control("set_disk_free_limit", "50MB");
    },
  },
];

function killBroker(whileDown: (context: FaultContext) => Promise<void>): Fault["inject"] {
  return async (context) => {
    const { platform, durationMs } = context;
    platform.process("rabbitmq").kill({ pause: true });
    await sleep(durationMs);
    await platform.process("rabbitmq").resume(() => whileDown(context));
    await platform.untilReady();
  };
}

async function emptyDirectory(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    await rm(path.join(directory, name), { recursive: true, force: true });
  }
}

const KILLS = 5;

const processFaults: readonly Fault[] = [
  ...SERVICES.map(
    (service): Fault => ({
      name: `kill -9 ${service}`,
      mayFailRequests: true,
      ...(service === "orders" && { isShort: true as const }),
      inject: async ({ platform, durationMs }) => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          platform.process(`${service}-${(kill % 2) + 1}`).kill();
          await sleep(durationMs / KILLS);
        }
        await platform.untilReady();
      },
    }),
  ),
  { name: "graceful restart, one by one", inject: ({ platform }) => restartOneByOne(platform) },
];

export async function restartOneByOne(platform: ChaosPlatform): Promise<void> {
  for (const { name } of platform.services) {
    await platform.process(name).restart();
    await platform.untilReady();
  }
}

const BEHIND_GATEWAY = ["orders", "content", "webhooks"] as const;

const connectionFaults: readonly Fault[] = [
  {
    name: "TCP connections reset",
    mayFailRequests: true,
    inject: async ({ platform }) => {
      for (let round = 0; round < 3; round += 1) {
        for (const proxy of Object.values(platform.proxies)) {
          proxy.reset();
          await sleep(100);
        }
      }
      await platform.untilReady();
    },
  },
  ...(["rabbitmq", "postgres"] as const).map(
    (server): Fault => ({
      name: `blackhole before ${server}`,
      ...(server === "postgres" && { mayFailRequests: true as const }),
      inject: async ({ platform, durationMs }) => {
        const proxies = SERVICES.map((service) => platform.proxies[`${service}→${server}`]);
        await blackhole(proxies, 3 * durationMs);
        await platform.untilReady();
      },
    }),
  ),
  {
    name: "blackhole behind the gateway",
    mayFailRequests: true,
    inject: async ({ platform, durationMs }) => {
      const proxies = BEHIND_GATEWAY.map((service) => platform.proxies[`gateway→${service}`]);
      await blackhole(proxies, 3 * durationMs);
    },
  },
];

async function blackhole(proxies: readonly (FaultProxy | undefined)[], durationMs: number): Promise<void> {
  for (const proxy of proxies) proxy?.blackhole();
  await sleep(durationMs);
  for (const proxy of proxies) await proxy?.restore();
}

const queueFaults: readonly Fault[] = [
  ...["webhooks.events", "webhooks.deliveries", "content.replay"].map(
    (queue): Fault => ({
      name: `queue ${queue} deleted`,
      inject: async ({ platform, durationMs }) => {
        await requestManagement(platform.rabbitmq.managementUrl, "DELETE", `/queues/%2F/${queue}`);
        await sleep(durationMs / 2);
        await platform.untilReady();
      },
    }),
  ),
  {
    name: "consumers' connections closed",
    inject: async ({ platform, durationMs }) => {
      const { managementUrl } = platform.rabbitmq;
      const connections = await requestManagement(managementUrl, "GET", "/connections");
      for (const { name } of connections as { name: string }[]) {
        const resource = `/connections/${encodeURIComponent(name)}`;
        await requestManagement(managementUrl, "DELETE", resource).catch(() => undefined);
      }
      await sleep(durationMs / 2);
      await platform.untilReady();
    },
  },
  {
    // On RabbitMQ 3.10, deleting a queue right after it was declared can end this supervisor. Retries then stay in their
    // queues, and the sweep replaces them. After a restart of the broker the old ones are delivered as well.
    name: "broker's dead-lettering stopped",
    inject: async ({ platform, webhookObserver, durationMs }) => {
      const stop = "ok = supervisor:terminate_child(rabbit_sup, rabbit_fifo_dlx_sup).";
      await platform.rabbitmq.control("eval", stop);
      webhookObserver.behave(() => 500);
      await sleep(durationMs);
      webhookObserver.behave(() => 200);
      await sleep(2 * durationMs);
      await platform.process("rabbitmq").restart();
      await platform.untilReady();
    },
  },
  {
    name: "retry queues purged",
    inject: async ({ platform, webhookObserver, durationMs }) => {
      webhookObserver.behave(() => 500);
      await sleep(durationMs);
      for (const label of ["1s", "2s", "3s"]) {
        const resource = `/queues/%2F/webhooks.retry.${label}/contents`;
        await requestManagement(platform.rabbitmq.managementUrl, "DELETE", resource);
      }
      webhookObserver.behave(() => 200);
    },
  },
];

const FAILURES: readonly (readonly [string, Behaviour])[] = [
  ["hangs", () => "hang"],
  ["resets", () => "reset"],
  ["responds 500", () => 500],
];

const receiverFaults: readonly Fault[] = FAILURES.map(([what, behaviour]) => ({
  name: `receiver ${what}`,
  inject: async ({ webhookObserver, durationMs }) => {
    webhookObserver.behave(behaviour);
    await sleep(durationMs);
    webhookObserver.behave(() => 200);
  },
}));

export const faults: readonly Fault[] = [
  ...processFaults,
  ...serverFaults,
  ...connectionFaults,
  ...alarmFaults,
  ...queueFaults,
  ...receiverFaults,
];
