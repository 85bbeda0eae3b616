// What can go wrong, one function each: it strikes, repairs what does not repair itself, and resolves when all is whole
// again. The stream goes on meanwhile.
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Behaviour } from "@tradepost/testing";
import type { Stack } from "./stack.ts";
import type { startReceiving } from "./witness.ts";

export interface Scene {
  readonly stack: Stack;
  readonly receiver: Awaited<ReturnType<typeof startReceiving>>;
  /** How long what can be told to last lasts. */
  readonly lastMs: number;
}

export interface Fault {
  readonly name: string;
  readonly strike: (scene: Scene) => Promise<void>;
  /** Whether clients may be told to try again while it lasts; else nobody is refused anything. */
  readonly mayRefuse?: true;
  /** Among those of the short run that is part of the tests. */
  readonly isShort?: true;
}

const SERVICES = ["gateway", "orders", "content", "webhooks"] as const;
const KILLS = 5;
const BEHIND = ["orders", "content", "webhooks"] as const;

const RECEIVERS: readonly (readonly [string, Behaviour])[] = [
  ["hangs", () => "hang"],
  ["resets", () => "reset"],
  ["answers 500", () => 500],
];

export const faults: readonly Fault[] = [
  ...SERVICES.map(
    (service): Fault => ({
      name: `kill -9 ${service}`,
      mayRefuse: true,
      ...((service === "orders" || service === "webhooks") && { isShort: true as const }),
      strike: async ({ stack, lastMs }) => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          stack.holds(`${service}-${(kill % 2) + 1}`).kill();
          await wait(lastMs / KILLS);
        }
        await stack.untilAllReady();
      },
    }),
  ),
  {
    name: "graceful restart, one by one",
    strike: async ({ stack }) => {
      for (const { startable } of stack.processes) {
        await stack.holds(startable.name).restart();
        await stack.untilAllReady();
      }
    },
  },
  { name: "broker kill -9", isShort: true, strike: broker(async () => {}) },
  {
    name: "broker stopped and started",
    strike: async ({ stack }) => {
      await stack.holds("rabbitmq").restart();
      await stack.untilAllReady();
    },
  },
  {
    name: "broker wiped",
    isShort: true,
    strike: broker(async ({ stack }) => emptyDirectory(stack.rabbitmq.storeDir)),
  },
  {
    name: "postgres kill -9",
    mayRefuse: true,
    strike: async ({ stack, lastMs }) => {
      stack.holds("postgres").kill({ hold: true });
      await wait(lastMs);
      await stack.holds("postgres").letGo();
      await stack.untilAllReady();
    },
  },
  {
    name: "postgres restarted",
    mayRefuse: true,
    strike: async ({ stack }) => {
      await stack.holds("postgres").restart();
      await stack.untilAllReady();
    },
  },
  {
    name: "TCP cut between any two",
    mayRefuse: true,
    isShort: true,
    strike: async ({ stack }) => {
      for (let round = 0; round < 3; round += 1) {
        for (const way of Object.values(stack.between)) {
          way.cut();
          await wait(100);
        }
      }
      await stack.untilAllReady();
    },
  },
  ...(["rabbitmq", "postgres"] as const).map(
    (server): Fault => ({
      name: `blackhole before ${server}`,
      ...(server === "postgres" && { mayRefuse: true as const }),
      strike: async ({ stack, lastMs }) => {
        const ways = SERVICES.map((service) => stack.between[`${service}→${server}`]);
        for (const way of ways) way?.swallow();
        await wait(3 * lastMs);
        for (const way of ways) await way?.mend();
        await stack.untilAllReady();
      },
    }),
  ),
  {
    name: "blackhole behind the gateway",
    mayRefuse: true,
    strike: async ({ stack, lastMs }) => {
      const ways = BEHIND.map((service) => stack.between[`gateway→${service}`]);
      for (const way of ways) way?.swallow();
      await wait(3 * lastMs);
      for (const way of ways) await way?.mend();
    },
  },
  {
    name: "broker memory alarm",
    strike: async ({ stack, lastMs }) => {
      await stack.rabbitmq.control("set_vm_memory_high_watermark", "0.000001");
      await wait(lastMs);
      await stack.rabbitmq.control("set_vm_memory_high_watermark", "0.6");
    },
  },
  {
    name: "broker disk full",
    strike: async ({ stack, lastMs }) => {
      await stack.rabbitmq.control("set_disk_free_limit", "1000000GB");
      await wait(lastMs);
      await stack.rabbitmq.control("set_disk_free_limit", "50MB");
    },
  },
  ...["webhooks.events", "webhooks.deliveries", "content.replay"].map(
    (queue): Fault => ({
      name: `queue ${queue} deleted`,
      strike: async ({ stack, lastMs }) => {
        await manage(stack, "DELETE", `queues/%2F/${queue}`);
        await wait(lastMs / 2);
        await stack.untilAllReady();
      },
    }),
  ),
  {
    name: "consumers' connections closed",
    strike: async ({ stack, lastMs }) => {
      const connections = (await manage(stack, "GET", "connections")) as { name: string }[];
      for (const { name } of connections) {
        await manage(stack, "DELETE", `connections/${encodeURIComponent(name)}`).catch(() => undefined);
      }
      await wait(lastMs / 2);
      await stack.untilAllReady();
    },
  },
  {
    name: "retry queues purged",
    strike: async ({ stack, receiver, lastMs }) => {
      receiver.behave(() => 500);
      await wait(lastMs);
      for (const label of ["1s", "2s", "3s"]) {
        await manage(stack, "DELETE", `queues/%2F/webhooks.retry.${label}/contents`);
      }
      receiver.behave(() => 200);
    },
  },
  ...RECEIVERS.map(
    ([what, behaviour]): Fault => ({
      name: `receiver ${what}`,
      strike: async ({ receiver, lastMs }) => {
        receiver.behave(behaviour);
        await wait(lastMs);
        receiver.behave(() => 200);
      },
    }),
  ),
];

/** Killed, kept down for as long as faults last, and started again; in between, something may be done to it. */
function broker(first: (scene: Scene) => Promise<void>): Fault["strike"] {
  return async (scene) => {
    const { stack, lastMs } = scene;
    stack.holds("rabbitmq").kill({ hold: true });
    await wait(lastMs);
    await stack.holds("rabbitmq").letGo(() => first(scene));
    await stack.untilAllReady();
  };
}

async function emptyDirectory(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    await rm(path.join(directory, name), { recursive: true, force: true });
  }
}

async function manage(stack: Stack, method: string, what: string): Promise<unknown> {
  const base = new URL(stack.rabbitmq.managementUrl);
  const response = await fetch(`${base.origin}/api/${what}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${base.username}:${base.password}`).toString("base64")}`,
    },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`management ${method} ${what}: ${response.status}`);
  return text === "" ? null : JSON.parse(text);
}
