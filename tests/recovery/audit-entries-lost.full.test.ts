// Audit entries that the broker confirmed and lost are noticed, and the command in the log brings them back.
import { createLogger } from "@tradepost/runtime";
import { readMetrics, until } from "@tradepost/testing";
import { connect } from "amqplib";
import { opsOn } from "../support/run-ops.ts";
import { startTestPlatform } from "../support/test-platform.ts";

const PRODUCERS = ["orders", "content", "webhooks"] as const;
type Producer = (typeof PRODUCERS)[number];

const lines: { producer?: string; missing?: number; command?: string }[] = [];
const log = Object.assign(createLogger("test", "silent"), {
  error: (line: object) => void lines.push(line),
});
const platform = await startTestPlatform({ METRICS_PORT: "0" }, log, undefined, {
  missingEntries: { everyMs: 200, ageMs: 300, graceMs: 500 },
});
const gateway = platform.pools.gateway;
const tenant = await platform.createTenant();

describe("audit entries that a purged gateway.audit lost", () => {
  afterAll(() => platform.stop());

  const countEntries = async () => {
    const { rows } = await gateway.query<{ count: number }>(
      "select count(*)::integer as count from audit_log where action in ('customer.erased', 'content_type.updated', 'webhook_subscription.created')",
    );
    return rows[0]?.count;
  };

  test("are counted for each producer by a metric, until they have arrived", async () => {
    const { status } = await tenant.owner.post(`/v1/customers/${tenant.customerId}/erasure`);
    expect(status).toBe(202);
    const fields = [{ key: "title", type: "text", required: true }];
    await tenant.owner.put("/v1/content-types/article", { name: "Article", fields });
    await tenant.subscribe("https://127.0.0.1:9/");
    await until("the entries of three services", async () => (await countEntries()) === 3);

    await platform.stopGateway();
    for (const producer of PRODUCERS) await publishAnotherEntry(producer);
    const connection = await connect(platform.broker.amqpUrl);
    const channel = await connection.createChannel();
    await until("the messages", async () => (await channel.checkQueue("gateway.audit")).messageCount >= 3);
    await channel.purgeQueue("gateway.audit");
    await connection.close();

    const replica = await platform.startGateway();
    const missing = (producer: Producer) => gauge(replica, "audit_entries_missing", producer);
    for (const producer of PRODUCERS)
      await until(`the metric of ${producer}`, async () => (await missing(producer)) === 1);
    for (const producer of PRODUCERS) {
      const { command } = await until("the line in the log", () =>
        lines.find((line) => line.producer === producer && line.missing === 1 && line),
      );
      const words = /^npm run ops -- (.*)$/.exec(command ?? "")?.[1]?.split(" ") ?? [];
      expect(words.slice(0, 4)).toEqual(["events", "republish", "--service", producer]);
      expect((await opsOn(platform)(...words)).code).toBe(0);
      await until(`nothing missing of ${producer}`, async () => (await missing(producer)) === 0);
      const age = (await gauge(replica, "audit_tally_age_seconds", producer)) ?? Infinity;
      expect(age).toBeGreaterThan(0);
    }
    expect(await countEntries()).toBe(6);
  });

  test("are not counted while a replay publishes entries again, or after the broker lost everything", async () => {
    const replica = await platform.startGateway();
    await platform.broker.wipe();
    await publishAnotherEntry("orders");
    await until("the entry", async () => (await countEntries()) === 7);
    const orders = platform.pools.orders;
    const isReplaying = async () => (await orders.query("select from replay")).rowCount !== 0;
    await until("the end of the replay", async () => !(await isReplaying()));
    await until("a comparison of all", async () => {
      const { rows } = await gateway.query(
        "select from audit_tallies where compared_until > now() - interval '1 s'",
      );
      return rows.length === 3;
    });
    for (const producer of PRODUCERS) expect(await gauge(replica, "audit_entries_missing", producer)).toBe(0);
  });

  /** Writes an entry like the last one that the service has published to its outbox, and waits until the broker has it. */
  async function publishAnotherEntry(producer: Producer): Promise<void> {
    const pool = platform.pools[producer];
    const { rows } = await pool.query<{ id: string }>(`
      insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
      select gen_random_uuid(), aggregate_id, type, tenant_id, request_id, traceparent, actor, data
        from published_events where type ~ '^(audit\\.|webhook_subscription)' order by published_at desc limit 1
      returning event_id as id`);
    await until(`the entry of ${producer} to be published`, async () => {
      const published = "select from published_events where event_id = $1";
      return (await pool.query(published, [rows[0]?.id])).rowCount === 1;
    });
  }
});

async function gauge(of: { url: string; metricsUrl?: string | undefined }, name: string, producer: Producer) {
  const url = of.metricsUrl?.replace(/\/metrics$/, "") ?? "";
  return (await readMetrics(url))(`${name}{producer="${producer}"}`);
}
