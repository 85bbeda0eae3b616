// @tradepost/client against a platform, even through a network with faults.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createClient, type Tradepost, TradepostError } from "@tradepost/client";
import { type FaultProxy, startFaultProxy, until } from "@tradepost/testing";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

let platform: TestPlatform;
let proxy: FaultProxy;
let tenant: TestTenant;
let tradepost: Tradepost;

beforeAll(async () => {
  platform = await startTestPlatform();
  proxy = await startFaultProxy(platform.url);
});
afterAll(async () => {
  await proxy.stop();
  await platform.stop();
});
beforeEach(async () => {
  tenant = await platform.createTenant();
  tradepost = createClient({ url: platform.url, apiKey: tenant.apiKey });
});

const order = (sku: string) => ({
  customerId: tenant.customerId,
  items: [{ sku, name: "Mug", unitPrice: 10 }],
});

describe("through a network that fails", () => {
  test("an order whose response is lost is placed once", async () => {
    const retried = Promise.withResolvers<void>();
    const client = createClient({
      url: proxy.url,
      apiKey: tenant.apiKey,
      timeoutMs: 1_000,
      onRetry: () => retried.resolve(),
    });
    proxy.blackhole("responses");
    const placing = client.orders.place(order("LOST"));
    await retried.promise;
    await proxy.restore();
    const placed = await placing;
    const orders = await tradepost.orders.list().toArray({ limit: 10 });
    expect(orders.map(({ id }) => id)).toEqual([placed.id]);
  });

  test("a caller that gave up continues with the key of the error, and gets the order that was placed", async () => {
    const client = createClient({ url: proxy.url, apiKey: tenant.apiKey, deadlineMs: 1_000 });
    proxy.blackhole("responses");
    const error = await client.orders.place(order("LATER")).catch((thrown: unknown) => thrown);
    await proxy.restore();
    if (!(error instanceof TradepostError)) throw error;
    expect(error).toMatchObject({ code: "timeout", isRetryable: true });
    const idempotencyKey = error.idempotencyKey ?? "";
    const { data, isReplayed } = await tradepost.request("placeOrder", {
      body: order("LATER"),
      idempotencyKey,
    });
    expect(isReplayed).toBe(true);
    const orders = await tradepost.orders.list().toArray({ limit: 10 });
    expect(orders.map(({ id }) => id)).toEqual([data.id]);
  });

  test("a feed goes on when the platform is back", async () => {
    const controller = new AbortController();
    const client = createClient({ url: proxy.url, apiKey: tenant.apiKey });
    const skus: (string | undefined)[] = [];
    const following = (async () => {
      for await (const event of client.orders.events({ waitSeconds: 1 }, { signal: controller.signal })) {
        skus.push(event.data.order.items[0]?.sku);
      }
    })();
    await tradepost.orders.place(order("BEFORE"));
    await until("the first event", () => skus.length === 1);
    await proxy.refuse();
    await tradepost.orders.place(order("MEANWHILE"));
    await proxy.restore();
    await tradepost.orders.place(order("AFTER"));
    await until("all events", () => skus.length === 3);
    controller.abort();
    await following;
    expect(skus).toEqual(["BEFORE", "MEANWHILE", "AFTER"]);
  });
});

test("a list and a feed continue where a crashed program was", async () => {
  const placed: string[] = [];
  for (let number = 0; number < 7; number += 1)
    placed.push((await tradepost.orders.place(order(`A-${number}`))).id);

  const seen: string[] = [];
  let cursor: string | undefined;
  for (let run = 0; run < 4; run += 1) {
    const list = createClient({ url: platform.url, apiKey: tenant.apiKey }).orders.list({ limit: 3, cursor });
    let read = 0;
    for await (const { id } of list) {
      seen.push(id);
      cursor = list.cursor;
      read += 1;
      if (read === 2) break;
    }
  }
  expect(seen).toEqual(placed.toReversed());

  const events: string[] = [];
  let after: string | undefined;
  for (let run = 0; run < 4; run += 1) {
    const feed = createClient({ url: platform.url, apiKey: tenant.apiKey }).orders.events({
      limit: 3,
      after,
    });
    let read = 0;
    for await (const event of feed) {
      events.push(event.type);
      after = feed.cursor;
      read += 1;
      if (read === 2 || events.length === 7) break;
    }
  }
  expect(events).toEqual(Array.from({ length: 7 }, () => "order.placed"));
  const { data } = await tradepost.orders.events({ after }).page();
  expect(data).toEqual([]);
});

test("two who change the same order: the second learns of the first", async () => {
  const { id, version } = await tradepost.orders.place(order("B-1"));
  await tradepost.orders.update(id, { customerNote: "first" }, { ifMatch: version });
  const second = tradepost.orders.update(id, { customerNote: "second" }, { ifMatch: version });
  await expect(second).rejects.toMatchObject({ code: "version_mismatch", status: 412 });
  const { status, etag, data } = await tradepost.request("getOrder", { path: { id } });
  expect([status, etag, data.customerNote]).toEqual([200, `"${data.version}"`, "first"]);
  const unchanged = await tradepost.request("getOrder", { path: { id }, ifNoneMatch: data.version });
  expect([unchanged.status, unchanged.data]).toEqual([304, undefined]);
});

test("an order's life, and a conflict that says which state it is in", async () => {
  const { id } = await tradepost.orders.place(order("C-1"));
  await tradepost.orders.recordPayment(id, { status: "succeeded", reference: "p-1" });
  await tradepost.orders.fulfill(id);
  expect((await tradepost.orders.deliver(id)).status).toBe("delivered");
  const error = await tradepost.orders.cancel(id).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "invalid_transition",
    status: 409,
    fields: { state: { status: "delivered" } },
  });
  const timeline = await tradepost.orders.timeline(id).toArray({ limit: 50 });
  expect(timeline.length).toBeGreaterThan(3);
});

test("every field at fault is named, with the request's id", async () => {
  const placing = tradepost.orders.place(
    { customerId: tenant.customerId, items: [{ sku: "", name: "x", quantity: 0 }] },
    { requestId: "my-request-1" },
  );
  const error = (await placing.catch((thrown: unknown) => thrown)) as TradepostError;
  expect(error).toMatchObject({ code: "validation_error", requestId: "my-request-1" });
  expect(error.details.map(({ path }) => path)).toEqual(["items[0].sku", "items[0].quantity"]);
});

test("a file is uploaded, read back, and linked", async () => {
  const file = new File(["hello"], "größe.txt", { type: "text/plain" });
  const media = await tradepost.media.upload(file);
  expect(media).toMatchObject({ filename: "größe.txt", sizeBytes: 5, status: "ready" });
  expect(Buffer.from(await tradepost.media.read(media.id)).toString()).toBe("hello");
  expect((await tradepost.media.link(media.id)).url).toContain(media.id);
  await expect(tradepost.media.read("0198c5b3-2f4a-7d21-8c5e-0a1b2c3d4e5f")).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a user signs in, and a token in place of a key may do what the user may", async () => {
  const owner = createClient({ url: platform.url, token: () => tenant.ownerToken });
  const { signingSecret } = await owner.subscriptions.create({
    name: "Search",
    url: "https://127.0.0.1:1/hooks",
    events: ["redirect.added"],
  });
  expect(signingSecret).toMatch(/^whsec_/);
  await expect(
    tradepost.subscriptions.create({
      name: "x",
      url: "https://127.0.0.1:1/hooks",
      events: ["redirect.added"],
    }),
  ).rejects.toMatchObject({ code: "forbidden" });
  await expect(
    createClient({ url: platform.url }).auth.login({
      email: "nobody@example.com",
      password: "wrong-password",
    }),
  ).rejects.toMatchObject({ code: "unauthorized", tries: 1 });
});
