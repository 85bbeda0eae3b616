// Failover to a synchronous standby (interface §16) while redirects are added and delivered. No acknowledged redirect is lost,
// and the services find the new primary by themselves.
import { describe, expect, test } from "@jest/globals";
import { type ReplicatedPostgres, startReplicatedPostgres } from "@tradepost/devstack";
import { startReceiver, testCertificate, until } from "@tradepost/testing";
import { opsOn } from "../support/run-ops.ts";
import { createPlatformBase, removePlatformBase, startTestPlatform } from "../support/test-platform.ts";

const ADDED_BEFORE = 10;
const ADDED_AFTER = 10;

describe.each<[string, (postgres: ReplicatedPostgres) => Promise<void>]>([
  ["is killed", (postgres) => postgres.failOver()],
  ["turns read-only and keeps its connections", (postgres) => postgres.demote()],
])("a primary that %s", (_, change) => {
  test("is left for its standby, without a loss", async () => {
    await using ended = new AsyncDisposableStack();
    const postgres = await startReplicatedPostgres();
    ended.defer(postgres.stop);
    const base = await createPlatformBase(postgres.url);
    ended.defer(() => removePlatformBase(base));
    const settings = { WEBHOOKS_RETRY_SCHEDULE: "200ms,500ms", WEBHOOKS_SWEEP_GRACE_MS: "1000" };
    const platform = await startTestPlatform(settings, undefined, base);
    ended.defer(platform.stop);
    const receiver = await startReceiver(await testCertificate());
    ended.defer(receiver.stop);
    const { key, owner } = await platform.createTenant();
    const subscription = { name: "All", url: receiver.url, events: ["redirect.added"] };
    expect((await owner.post("/v1/webhooks/subscriptions", subscription)).status).toBe(201);

    const added = new Set<string>();
    const refused: number[] = [];
    let number = 0;
    const add = async () => {
      number += 1;
      const { status, body } = await key.post("/v1/redirects", { from: `/${number}`, to: "/new" });
      if (status === 201) added.add(body.data.id);
      else refused.push(status);
    };
    const untilAdded = async (count: number) => {
      const goal = added.size + count;
      while (added.size < goal) await add();
    };
    await untilAdded(ADDED_BEFORE);
    await Promise.all([change(postgres), untilAdded(ADDED_BEFORE)]);
    await untilAdded(ADDED_AFTER);
    // The only refusal is 503, after which clients repeat the request.
    expect(refused.filter((status) => status !== 503)).toEqual([]);

    const listed = new Set<string>();
    for (let cursor = ""; ; ) {
      const { body } = await key.get(`/v1/redirects?limit=100${cursor && `&cursor=${cursor}`}`);
      for (const { id } of body.data) listed.add(id);
      if (body.page.nextCursor === null) break;
      cursor = body.page.nextCursor;
    }
    expect([...added].filter((id) => !listed.has(id))).toEqual([]);
    const delivered = () =>
      new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).data.redirect.id as string));
    // A refused redirect may have been committed. Then it is delivered too.
    await until("the delivery of each redirect", () => [...listed].every((id) => delivered().has(id)));
    expect(delivered()).toEqual(listed);

    // These commands run while the services run, as after a failover.
    const ops = opsOn(platform);
    // The feed's own connection may be made a moment later.
    const feed = await until("the feed", async () => {
      const { status, body } = await key.get("/v1/content/events?limit=5");
      return status === 200 && body;
    });
    expect((await ops("verify")).stdout).toMatch(/databases were restored, moved or promoted/);
    expect((await ops("restored", "content", "--to", new Date().toISOString())).stderr).toMatch(
      /The content service is connected to its database/,
    );
    const services = ["gateway", "orders", "content", "webhooks"];
    for (const service of services)
      expect(await ops("restored", service, "--nothing-lost")).toMatchObject({ code: 0, stderr: "" });
    await until("everything to be accounted for", async () => (await ops("verify")).code === 0);
    const { status, body } = await key.get(`/v1/content/events?limit=1&after=${feed.page.nextCursor}`);
    expect([status, body.data.length]).toEqual([200, 1]);
  });
});
