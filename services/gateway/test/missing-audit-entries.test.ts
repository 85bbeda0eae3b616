// Which published audit entries count as missing. The services' responses are given; database and comparison are real.
import { randomUUID } from "node:crypto";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, createMetrics } from "@tradepost/runtime";
import { createServiceDatabase, until } from "@tradepost/testing";
import { startMissingEntries } from "../src/audit-log/audit-log.ts";

const LOGGER = createLogger("test", "silent");
const SOON = { everyMs: 20, ageMs: 300, graceMs: 0 };
const NOTHING = { entries: [] as object[], hasMore: false };

const database = await createServiceDatabase("gateway");
const asked = { name: "test", connectionsMax: 2, logger: LOGGER };
const service = connectPostgres({ ...asked, url: database.serviceUrl, role: "tradepost_gateway" });
const owner = connectPostgres({ ...asked, url: database.url });

beforeEach(() => owner.pool.query("truncate audit_tallies, missing_audit_entries"));

afterAll(async () => {
  await service.stop();
  await owner.stop();
  await database.drop();
});

/** Runs the comparison while `work` runs. `tallyOf` gets the time asked for and returns what the orders service responds with. */
async function comparing(
  { tallyOf, waiting = () => 0 }: { tallyOf: (since: string) => object; waiting?: () => number },
  work: () => Promise<unknown>,
): Promise<void> {
  const watch = startMissingEntries({
    ...{ pool: service.pool, metrics: createMetrics("gateway"), logger: LOGGER, ...SOON },
    ask: async (name, _, { path }) => {
      // A service of the previous release lacks the route.
      if (name !== "orders") throw new Error(`the ${name} service responded with 404`);
      return tallyOf(new URL(path, "http://orders").searchParams.get("since") ?? "");
    },
    countReady: async () => waiting(),
  });
  await work();
  await watch.stop();
}

const missing = async () => (await owner.pool.query("select entry_id from missing_audit_entries")).rows;
const COMPARED = "select to_json(compared_until)#>>'{}' as at from audit_tallies where service = 'orders'";
const compared = async () => (await owner.pool.query<{ at: string }>(COMPARED)).rows[0]?.at;

test("counts none while messages wait in the queue, and then those that are not in the log", async () => {
  const entryId = randomUUID();
  let [ready, asked] = [1, 0];
  const until1 = "2026-11-20T10:00:00.123456+00:00";
  const tallyOf = () => {
    asked += 1;
    return { until: until1, entries: [{ tenantId: randomUUID(), entryId }], hasMore: false };
  };
  await comparing({ tallyOf, waiting: () => ready }, async () => {
    await until("two questions", () => asked > 1);
    expect(await missing()).toEqual([]);
    expect(await compared()).not.toBe(until1);
    ready = 0;
    // The next comparison forgets the entry, because its tenant does not exist.
    const found = await until("the missing entry", async () => (await missing())[0]);
    expect(found).toEqual({ entry_id: entryId });
    expect(await compared()).toBe(until1);
  });
});

test("asks on from where the service ended, also if its clock was set back", async () => {
  const ends = ["2026-11-20T10:10:00.000001+00:00", "2026-11-20T10:20:00+00:00", "2026-11-20T09:00:00+00:00"];
  const asked: string[] = [];
  const tallyOf = (since: string) => {
    asked.push(since);
    return { ...NOTHING, until: ends[asked.length - 1] ?? since, hasMore: asked.length === 1 };
  };
  await comparing({ tallyOf }, () => until("four questions", () => asked.length > 3));
  expect(asked.slice(1, 4)).toEqual(ends);
});

test("forgets an entry that arrives, and those of a tenant that is deleted", async () => {
  const tenantId = randomUUID();
  const [arrived, deleted] = [randomUUID(), randomUUID()];
  await owner.pool.query("insert into tenants (id, slug, name) values ($1, 'shop', 'Shop')", [tenantId]);
  const deletedTenant = randomUUID();
  const tallyOf = (since: string) => ({
    ...{ until: since, hasMore: false },
    entries: [
      { tenantId, entryId: arrived },
      { tenantId: deletedTenant, entryId: deleted },
    ],
  });
  await comparing({ tallyOf }, async () => {
    await until("both", async () => (await missing()).length === 2);
    await owner.pool.query(
      `insert into audit_log (tenant_id, id, created_at, actor_type, actor_id, actor_name, action, target_type, target_id, changes, request_id)
       values ($1, $2, now(), 'operator', 'operator', 'Operator', 'test', 'test', 'test', '{}', 'test')`,
      [tenantId, arrived],
    );
    await until("one", async () => (await missing()).length === 1);
    const insertDeleted = "insert into deleted_tenants (tenant_digest) values (sha256(uuid_send($1::uuid)))";
    await owner.pool.query(insertDeleted, [deletedTenant]);
    await until("none", async () => (await missing()).length === 0);
  });
});
