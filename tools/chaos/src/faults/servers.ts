// RabbitMQ and Postgres are killed or restarted, lose their data, or run out of memory or disk.
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { sleep } from "@tradepost/runtime";
import type { Fault, FaultContext } from "./fault.ts";

export const serverFaults: readonly Fault[] = [
  { name: "broker kill -9", isShort: true, inject: killBroker(async () => {}) },
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

export const alarmFaults: readonly Fault[] = [
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

/** Kills the broker, calls `whileDown` after the duration of the fault, and starts the broker again. */
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
