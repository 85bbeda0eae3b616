// Runs the commands that the README prints. printed-integrations.full.test.ts runs those of the pages for integrators.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { startReceiver, until } from "@tradepost/testing";
import { blocksOf, startReader } from "../support/reader.ts";
import { sharedPlatform } from "../support/test-platform.ts";

const README = path.resolve(import.meta.dirname, "../../README.md");
const testWithCurl = spawnSync("curl", ["--version"]).status === 0 ? test : test.skip;

testWithCurl(
  "the README places an order, receives a webhook, shows it, and kills a process (if curl is installed)",
  async () => {
    const platform = await sharedPlatform();
    const tenant = await platform.createTenant();
    await using reader = await startReader(platform, { tenant });
    // A process in place of the webhooks service, which runs in the test's own process.
    const victim = spawn("sleep", ["infinity"]);
    await reader.save({ processes: { webhooks: [{ pid: victim.pid }] } });
    const [text = ""] = (await readFile(README, "utf8")).split("- **Integrate**");
    const [start, order, listen = "", redirect, kill, ...others] = blocksOf({ page: "README.md", text })
      .filter(({ language }) => language === "sh")
      .map(({ code }) => code);
    // system.full.test.ts starts the platform.
    expect([start, others]).toEqual(["npm start -- --open\n", []]);
    const jsonOf = async (block = "") =>
      (await reader.run(block)).split("\n").map((line) => line && JSON.parse(line));
    expect(await jsonOf(order)).toMatchObject([
      { success: true, data: { total: 59.97, customerId: tenant.customerId } },
      { success: true, data: expect.arrayContaining([expect.objectContaining({ type: "order.placed" })]) },
      "",
    ]);
    await using receiver = await startReceiver(null);
    const program = reader.listen(listen, receiver.url);
    await program.ready();
    expect(await jsonOf(redirect)).toMatchObject([
      { success: true, data: { from: "/old" } },
      // The delivery may not be made yet.
      { success: true, data: expect.any(Array) },
      "",
    ]);
    await until("the webhook", () => receiver.received.length === 1);
    const killed = once(victim, "exit");
    expect(await jsonOf(kill)).toMatchObject([{ success: true, data: { from: "/older" } }, ""]);
    expect(await killed).toEqual([null, "SIGKILL"]);
    await until("the next webhook", () => receiver.received.length === 2);
    await program.end();
  },
);
