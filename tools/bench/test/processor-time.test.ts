import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "@jest/globals";
import { perUnit, processorTime, sum } from "../src/observe.ts";

const CHILD_MS = 300;
const BUSY = `while (process.cpuUsage().user < ${CHILD_MS * 1_000});`;
// Says how much processor time it has used without its child, in milliseconds.
const PARENT = `
  require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(BUSY)}]);
  const { user, system } = process.cpuUsage();
  console.log((user + system) / 1_000);
  setInterval(() => {}, 1_000);`;

test("computes the processor time per unit", () => {
  expect(perUnit({ orders: 250, gateway: 50 }, 1_000)).toEqual({ orders: 0.25, gateway: 0.05 });
  expect(sum({ orders: 0.25, gateway: 0.5 })).toBe(0.75);
});

test("counts the children of a program that have ended", async () => {
  const parent = spawn(process.execPath, ["-e", PARENT]);
  try {
    const [own] = await once(parent.stdout, "data");
    const { program = 0 } = await processorTime({ program: parent.pid ?? 0 });
    expect(program - Number(own)).toBeGreaterThan(CHILD_MS - 100);
  } finally {
    parent.kill();
  }
});
