// A receiver runs on a laptop that cannot be reached. Its program leases deliveries through the gateway, and sleeps for longer
// than a lease. Nothing is lost. A delivery that fails eight times is in webhooks.dead.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { Webhook } from "standardwebhooks";
import { startListening } from "./support/listen-program.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const PROGRAM = path.join(import.meta.dirname, "support/forward-leased.ts");
// Longer than a busy machine takes from the lease to the request.
const LEASE_MS = 3_000;

interface Received {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly attempt: number;
}

describe("a laptop that listens", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  let listener: { id: string; events: string[]; signingSecret: string };
  let receiver: http.Server;
  let received: Received[];
  /** Resolves with the status of the response. */
  let respond: (one: Received) => Promise<number> | number;
  let laptops: ReturnType<typeof spawn>[];

  beforeAll(async () => {
    platform = await startTestPlatform({
      WEBHOOKS_LEASE_MS: String(LEASE_MS),
      WEBHOOKS_RETRY_SCHEDULE: "50ms,50ms,50ms,50ms,50ms,50ms,50ms",
    });
    receiver = http.createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const headers = req.headers as Record<string, string>;
      new Webhook(listener.signingSecret).verify(Buffer.concat(chunks), headers);
      const one = {
        deliveryId: headers["x-service-delivery"] ?? "",
        eventId: headers["x-service-event-id"] ?? "",
        attempt: Number(headers["x-service-attempt"]),
      };
      received.push(one);
      res.writeHead(await respond(one)).end("received");
    });
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
  });
  beforeEach(async () => {
    tenant = await platform.createTenant();
    const events = ["redirect.added", "redirect.removed"];
    listener = (await tenant.key.post("/v1/webhooks/listeners", { name: "Laptop", events })).body.data;
    received = [];
    respond = () => 200;
    laptops = [];
  });
  afterEach(async () => {
    for (const laptop of laptops) {
      if (laptop.exitCode !== null || laptop.signalCode !== null) continue;
      laptop.kill("SIGKILL");
      await once(laptop, "exit");
    }
  });
  afterAll(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await platform.stop();
  });

  const target = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const open = () => {
    const laptop = spawn(process.execPath, [PROGRAM, platform.url, tenant.apiKey, listener.id, target()], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    laptops.push(laptop);
    return laptop;
  };
  const addRedirects = async (from: number, count: number) => {
    for (let number = from; number < from + count; number += 1) {
      const { status } = await tenant.key.post("/v1/redirects", { from: `/${number}`, to: "/new" });
      expect(status).toBe(201);
    }
  };
  const waiting = async () =>
    (await tenant.key.get(`/v1/webhooks/listeners/${listener.id}`)).body.data.waiting;
  const deliveries = async () =>
    (await tenant.key.get(`/v1/webhooks/deliveries?limit=100&subscriptionId=${listener.id}`)).body.data as {
      id: string;
      eventId: string;
      status: string;
      attemptCount: number;
    }[];
  const untilDelivered = async (count: number) =>
    await until(`${count} delivered`, async () => {
      const found = await deliveries();
      return found.length === count && found.every(({ status }) => status === "delivered") && found;
    });

  test("gets each delivery, also what happened before it was opened", async () => {
    await addRedirects(0, 3);
    open();
    await addRedirects(3, 3);
    const found = await untilDelivered(6);
    expect(received.map(({ deliveryId }) => deliveryId).sort()).toEqual(found.map(({ id }) => id).sort());
    expect(new Set(found.map(({ attemptCount }) => attemptCount))).toEqual(new Set([1]));
  });

  test("loses nothing while it sleeps for longer than a lease", async () => {
    const released = Promise.withResolvers<number>();
    respond = () => released.promise;
    const laptop = open();
    await addRedirects(0, 2);
    await until("two requests", () => new Set(received.map(({ eventId }) => eventId)).size === 2);
    laptop.kill("SIGSTOP");
    await addRedirects(2, 5);
    // All leases have ended, and no attempt was counted.
    await until("all to wait", async () => {
      const { pending, leased } = await waiting();
      return pending === 7 && leased === 0;
    });
    released.resolve(200);
    laptop.kill("SIGCONT");
    const found = await untilDelivered(7);
    expect(new Set(received.map(({ eventId }) => eventId))).toEqual(
      new Set(found.map(({ eventId }) => eventId)),
    );
    expect(new Set(found.map(({ attemptCount }) => attemptCount))).toEqual(new Set([1]));
    // The results that the program already had were counted, so nothing was received twice.
    expect(received.length).toBe(7);
  });

  test("another laptop takes over while it sleeps, and each delivery is counted once", async () => {
    const released = Promise.withResolvers<number>();
    respond = () => released.promise;
    const laptop = open();
    await addRedirects(0, 2);
    await until("two requests", () => new Set(received.map(({ eventId }) => eventId)).size === 2);
    laptop.kill("SIGSTOP");
    respond = () => 200;
    open();
    const found = await untilDelivered(2);
    released.resolve(500);
    laptop.kill("SIGCONT");
    // The first laptop is awake once it has forwarded another delivery.
    laptops[1]?.kill("SIGSTOP");
    await addRedirects(2, 1);
    await untilDelivered(3);
    expect((await deliveries()).map(({ attemptCount }) => attemptCount)).toEqual([1, 1, 1]);
    for (const { id } of found) {
      const { attempts } = (await tenant.key.get(`/v1/webhooks/deliveries/${id}`)).body.data;
      expect(attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["delivered"]);
    }
  });

  test("loses nothing with `tradepost listen` either", async () => {
    const stateHome = await mkdtemp(path.join(tmpdir(), "tradepost-state-"));
    const environment = {
      TRADEPOST_URL: platform.url,
      TRADEPOST_API_KEY: tenant.apiKey,
      XDG_STATE_HOME: stateHome,
    };
    const args = ["--forward-to", target(), "--events", listener.events.join(","), "--print-secret"];
    const program = startListening(environment, ...args);
    laptops.push(program.child);
    await program.ready();
    const signingSecret = /signing secret: (whsec_\S+)/.exec(program.notes())?.[1] ?? "";
    const [{ id }] = (await tenant.key.get("/v1/webhooks/listeners?limit=1")).body.data;
    listener = { ...listener, id, signingSecret };
    const released = Promise.withResolvers<number>();
    respond = () => released.promise;
    await addRedirects(0, 2);
    await until("two requests", () => new Set(received.map(({ eventId }) => eventId)).size === 2);
    program.child.kill("SIGSTOP");
    await addRedirects(2, 5);
    await until("all to wait", async () => {
      const { pending, leased } = await waiting();
      return pending === 7 && leased === 0;
    });
    released.resolve(200);
    program.child.kill("SIGCONT");
    const found = await untilDelivered(7);
    expect(new Set(received.map(({ eventId }) => eventId))).toEqual(
      new Set(found.map(({ eventId }) => eventId)),
    );
    expect(new Set(found.map(({ attemptCount }) => attemptCount))).toEqual(new Set([1]));
    expect(await program.end()).toBe(0);
    await rm(stateHome, { recursive: true });
  });

  test("after eight bad responses a delivery has failed and is a dead letter", async () => {
    respond = () => 503;
    open();
    await addRedirects(0, 1);
    const [failed] = await until("the failure", async () => {
      const found = await deliveries();
      return found[0]?.status === "failed" && found;
    });
    expect(received.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const [dead] = await until("the dead letter", async () => {
      const get = { count: 10, ackmode: "ack_requeue_true", encoding: "auto" };
      const queue = await platform.broker.manage("POST", "/queues/webhooks.dead/get", get);
      return (queue as { payload: string }[]).length > 0 && (queue as { payload: string }[]);
    });
    expect(JSON.parse(dead?.payload ?? "")).toMatchObject({
      ...{ delivery_id: failed?.id, subscription_id: listener.id },
      ...{ attempts: 8, reason: "http_status 503" },
    });
    respond = () => 200;
    const again = await tenant.key.post(
      `/v1/webhooks/listeners/${listener.id}/deliveries/${failed?.id}/redeliver`,
    );
    expect(again.status).toBe(202);
    await untilDelivered(1);
  });
});
