// `tradepost listen` on a laptop that sleeps for longer than a lease: nothing is lost, and each delivery is counted once.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { createClient, type Tradepost } from "@tradepost/client";
import { until } from "@tradepost/testing";
import {
  type ListenProgram,
  type LocalReceiver,
  startListening,
  startLocalReceiver,
} from "../support/listen-program.ts";
import { startTestPlatform } from "../support/test-platform.ts";

// Longer than a busy machine takes from the lease to the request.
const LEASE_MS = 3_000;

const platform = await startTestPlatform({ WEBHOOKS_LEASE_MS: String(LEASE_MS) });
afterAll(() => platform.stop());

/** A receiver that responds when it is told to, and laptops that share the listener of one tenant. */
async function openShop() {
  const running = new AsyncDisposableStack();
  const { apiKey } = await platform.createTenant();
  const tradepost = createClient({ url: platform.url, apiKey });
  const directory = mkdtempSync(path.join(tmpdir(), "tradepost-state-"));
  running.defer(() => rmSync(directory, { recursive: true }));
  const environment = { TRADEPOST_URL: platform.url, TRADEPOST_API_KEY: apiKey, XDG_STATE_HOME: directory };
  let respond: () => Promise<number> = async () => 200;
  const receiver = running.use(
    await startLocalReceiver((res) => void respond().then((status) => res.writeHead(status).end())),
  );
  return {
    tradepost,
    receiver,
    /** Makes the receiver hold its responses until `resolve` is called with their status. */
    hold: () => {
      const released = Promise.withResolvers<number>();
      respond = () => released.promise;
      return released;
    },
    respondWith: (status: number) => {
      respond = async () => status;
    },
    openLaptop: async (): Promise<ListenProgram> => {
      const program = startListening(environment, "--forward-to", receiver.url, "--events", "redirect.added");
      running.defer(async () => void (program.child.exitCode === null && (await program.end("SIGKILL"))));
      await program.ready();
      return program;
    },
    addRedirects: async (from: number, count: number) => {
      for (let number = from; number < from + count; number += 1)
        await tradepost.redirects.create({ from: `/${number}`, to: "/new" });
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const eventsOf = ({ received }: LocalReceiver) =>
  new Set(received.map(({ headers }) => headers["x-service-event-id"]));

/** Waits until there are `count` deliveries and all are delivered, each after one counted attempt. */
async function untilDelivered(tradepost: Tradepost, count: number) {
  const found = await until(`${count} delivered`, async () => {
    const all = await tradepost.deliveries.list().toArray({ limit: 100 });
    return all.length === count && all.every(({ status }) => status === "delivered") && all;
  });
  expect(new Set(found.map(({ attemptCount }) => attemptCount))).toEqual(new Set([1]));
  return found;
}

test("what happened while it slept arrives, and so does what it had leased", async () => {
  await using shop = await openShop();
  const { tradepost, receiver } = shop;
  const held = shop.hold();
  const laptop = await shop.openLaptop();
  await shop.addRedirects(0, 2);
  await until("two requests", () => eventsOf(receiver).size === 2);
  laptop.child.kill("SIGSTOP");
  await shop.addRedirects(2, 5);
  // All leases have ended, and no attempt was counted.
  await until("all to wait", async () => {
    const [listener] = await tradepost.listeners.list().toArray({ limit: 1 });
    return listener?.waiting.pending === 7 && listener.waiting.leased === 0;
  });
  shop.respondWith(200);
  held.resolve(200);
  laptop.child.kill("SIGCONT");
  const found = await untilDelivered(tradepost, 7);
  expect(eventsOf(receiver)).toEqual(new Set(found.map(({ eventId }) => eventId)));
  expect(await laptop.end()).toBe(0);
});

test("another laptop takes over while it sleeps, and each delivery is counted once", async () => {
  await using shop = await openShop();
  const { tradepost, receiver } = shop;
  const held = shop.hold();
  const laptop = await shop.openLaptop();
  await shop.addRedirects(0, 2);
  await until("two requests", () => eventsOf(receiver).size === 2);
  laptop.child.kill("SIGSTOP");
  shop.respondWith(200);
  const other = await shop.openLaptop();
  const taken = await untilDelivered(tradepost, 2);
  held.resolve(500);
  laptop.child.kill("SIGCONT");
  // The first laptop is awake once it has forwarded another delivery.
  other.child.kill("SIGSTOP");
  await shop.addRedirects(2, 1);
  await untilDelivered(tradepost, 3);
  for (const { id } of taken) {
    const { attempts } = await tradepost.deliveries.get(id);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(["delivered"]);
  }
});
