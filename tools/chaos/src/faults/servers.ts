// RabbitMQ and Postgres die, are restarted, lose their data or run out of room.
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { sleep } from "@tradepost/runtime";
import type { Fault, Strike } from "./fault.ts";

export const serverFaults: readonly Fault[] = [
  { name: "broker kill -9", isShort: true, strike: broker(async () => {}) },
  {
    name: "broker stopped and started",
    strike: async ({ platform }) => {
      await platform.process("rabbitmq").restart();
      await platform.untilReady();
    },
  },
  {
    name: "broker wiped",
    isShort: true,
    strike: broker(async ({ platform }) => emptyDirectory(platform.rabbitmq.storeDir)),
  },
  {
    name: "postgres kill -9",
    mayRefuse: true,
    strike: async ({ platform, lastMs }) => {
      platform.process("postgres").kill({ pause: true });
      await sleep(lastMs);
      await platform.process("postgres").resume();
      await platform.untilReady();
    },
  },
  {
    name: "postgres restarted",
    mayRefuse: true,
    strike: async ({ platform }) => {
      await platform.process("postgres").restart();
      await platform.untilReady();
    },
  },
];

export const alarmFaults: readonly Fault[] = [
  {
    name: "broker memory alarm",
    strike: async ({ platform, lastMs }) => {
      await platform.rabbitmq.control("set_vm_memory_high_watermark", "0.000001");
      await sleep(lastMs);
      await platform.rabbitmq.control("set_vm_memory_high_watermark", "0.6");
    },
  },
  {
    name: "broker disk full",
    strike: async ({ platform, lastMs }) => {
      await platform.rabbitmq.control("set_disk_free_limit", "1000000GB");
      await sleep(lastMs);
      await platform.rabbitmq.control("set_disk_free_limit", "50MB");
    },
  },
];

/** Killed, kept down for as long as faults last, and started again; in between, something may be done to it. */
function broker(first: (strike: Strike) => Promise<void>): Fault["strike"] {
  return async (strike) => {
    const { platform, lastMs } = strike;
    platform.process("rabbitmq").kill({ pause: true });
    await sleep(lastMs);
    await platform.process("rabbitmq").resume(() => first(strike));
    await platform.untilReady();
  };
}

async function emptyDirectory(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    await rm(path.join(directory, name), { recursive: true, force: true });
  }
}
