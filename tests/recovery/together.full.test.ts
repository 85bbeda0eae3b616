// The platform as `npm start -- --together` starts it: the four services in one process. It loses nothing when that process is
// killed.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createClient, type Tradepost } from "@tradepost/client";
import { runScript } from "@tradepost/devstack";
import { type Receiver, startReceiver, testCertificate, until } from "@tradepost/testing";
import { type LaunchedPlatform, launchPlatform, removeDataDir } from "../support/launch-platform.ts";

describe("the product in one process", () => {
  let platform: LaunchedPlatform;
  let receiver: Receiver;
  let owner: Tradepost;
  let key: Tradepost;
  beforeAll(async () => {
    receiver = await startReceiver(await testCertificate());
    const settings = { WEBHOOKS_TIMEOUT_MS: "5000", LOG_LEVEL: "info" };
    platform = await launchPlatform(settings, undefined, ["--together"]);
    const { gatewayUrl: url, demo } = platform.now();
    const login = { email: demo.ownerEmail, password: demo.ownerPassword };
    const session = await createClient({ url }).auth.login(login);
    if ("secondFactor" in session) throw new Error("the owner has a second factor");
    owner = createClient({ url, token: session.token });
    key = createClient({ url, apiKey: demo.apiKey });
    await owner.subscriptions.create({
      ...{ name: "Mine", url: `${receiver.url}/mine`, events: ["redirect.added"] },
    });
  }, 600_000);
  afterAll(async () => {
    expect(await platform?.stop()).toBe(0);
    await receiver.stop();
    removeDataDir(platform.dataDir);
  });

  const pids = () =>
    Object.values(platform.now().processes).flatMap((processes) => processes.map(({ pid }) => pid));
  const deliveredIds = () =>
    receiver.received.map(({ body }) => JSON.parse(body.toString()).data.redirect.id as string);

  test("is one process with the address of each service", () => {
    expect(new Set(pids()).size).toBe(1);
    const urls = Object.values(platform.now().processes).flatMap((all) => all.map(({ url }) => url));
    expect(new Set(urls).size).toBe(4);
  });

  test("places orders and delivers webhooks", async () => {
    const { customerId } = platform.now().demo;
    const { orderNumber } = await key.orders.place({ customerId, items: [{ sku: "MUG", name: "Mug" }] });
    expect(orderNumber).toMatch(/^\d+$/);
    const { id } = await key.redirects.create({ from: "/old", to: "/new" });
    await until("its webhook", () => deliveredIds().includes(id));
  });

  test("loses nothing when the process is killed", async () => {
    const added: string[] = [];
    for (let number = 1; number <= 20; number += 1)
      added.push((await key.redirects.create({ from: `/killed-${number}`, to: "/new" })).id);
    await platform.killAndWait(({ processes }) => processes.webhooks[0]?.pid);
    expect(new Set(pids()).size).toBe(1);
    await until("every webhook", () => added.every((id) => deliveredIds().includes(id)));
    const { ok } = (await platform.ops("verify")) as { ok: boolean };
    expect(ok).toBe(true);
  });
});

test("a TARGET that names no service is refused", async () => {
  const { code, stderr } = await runScript("tools/together/src/main.ts", [], { TARGET: "orders,crm" });
  expect([code, stderr.trim()]).toEqual([
    1,
    'TARGET must be "all" or some of gateway, orders, content, webhooks, separated by commas.',
  ]);
});
