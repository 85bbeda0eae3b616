// A statement whose tenant could not be set on the connection must fail. It must not return the empty result that row-level
// security would give.
import { randomUUID } from "node:crypto";
import { connectTenants, isDatabaseUnavailable, type Tenant, tenantOf } from "@tradepost/postgres";
import { databaseAddress } from "@tradepost/runtime";
import { sql } from "kysely";
import { logger, useDatabase } from "./support/use-database.ts";

const ROLE = "tradepost_set_tenant_test";
const NAME = "set-tenant";
const CANCEL = "select pg_cancel_backend(pid) from pg_stat_activity where application_name = $1";
// About half of them hit the statement that sets the tenant.
const CANCELS_WANTED = 8;
// On one core, few statements are running when a cancel arrives. One cancel is enough after this many.
const STATEMENTS_MAX = 4_000;

interface Tables {
  notes: { tenant_id: string; note: string };
}

const { url, owner, createTenantRole, atEnd } = await useDatabase<Tables>();
const tenantId = randomUUID();
await owner.pool.query("create table notes (tenant_id uuid not null, note text not null)");
await createTenantRole(ROLE, "select, insert", "notes");
await owner.pool.query("insert into notes values ($1, 'mine')", [tenantId]);

// The second way is for poolers, and works without one too.
describe.each(["none", "transaction"] as const)(
  "a statement whose tenant could not be set, pooler: %s",
  (pooler) => {
    const tenants = connectTenants<Tables>({
      url: databaseAddress(url, { POSTGRES_POOLER: pooler }),
      role: ROLE,
      name: NAME,
      connectionsMax: 2,
      logger,
    });
    afterAll(() => tenants.stop());

    const select = { text: "select note from notes", values: [] };
    const ways: Record<string, (id: string) => Promise<{ note: string }[]>> = {
      "sent alone": async (id) => (await tenants.of(id).query<{ note: string }>(select)).rows,
      batched: async (id) => {
        const [first] = await Promise.all(
          [1, 2].map(() => tenants.of(id).batched.query<{ note: string }>(select)),
        );
        return first?.rows ?? [];
      },
      "sent in a transaction": async (id) =>
        await tenants.of(id).transaction(async (tx) => (await tx.query<{ note: string }>(select)).rows),
      "built by Kysely": (id) => tenants.of(id).db.selectFrom("notes").select("note").execute(),
      "built by Kysely in a transaction": (id) =>
        tenants.of(id).transaction((tx) => tx.db.selectFrom("notes").select("note").execute()),
      "raw through Kysely": async (id) =>
        (await sql<{ note: string }>`select note from notes`.execute(tenants.of(id).db)).rows,
    };

    beforeEach(async () => {
      // The last user of each connection is another tenant.
      await Promise.all([1, 2].map(() => tenants.of(randomUUID()).query(select)));
    });

    test.each(Object.entries(ways))("fails when %s, and the next statement succeeds", async (_, rowsOf) => {
      // Postgres does not accept a zero byte in a setting.
      await expect(rowsOf(`${tenantId}\u0000`)).rejects.toMatchObject({ code: "22021" });
      expect(await rowsOf(tenantId)).toEqual([{ note: "mine" }]);
    });

    // As after a commit that was cancelled.
    test("fails on no connection that was left in a transaction that has failed", async () => {
      for (const text of ["begin", "select 1 / 0", "select 1 / 0"])
        await tenants
          .of(tenantId)
          .query({ text, values: [] })
          .catch(() => undefined);
      for (const rowsOf of Object.values(ways)) expect(await rowsOf(tenantId)).toEqual([{ note: "mine" }]);
    });

    // Statements of a cancelled group run again by themselves, so they rarely fail: the group is not tested here.
    test.each(["sent alone", "built by Kysely in a transaction"])(
      "never returns an empty result when %s while statements are cancelled at random",
      async (way) => {
        const rowsOf = ways[way] as (typeof ways)[string];
        let isDone = false;
        const cancelling = (async () => {
          while (!isDone) await owner.pool.query(CANCEL, [NAME]);
        })();
        let [sent, cancelled] = [0, 0];
        try {
          while (cancelled < (sent < STATEMENTS_MAX ? CANCELS_WANTED : 1)) {
            sent += 4;
            const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => rowsOf(tenantId)));
            for (const outcome of outcomes) {
              if (outcome.status === "fulfilled") expect(outcome.value).toEqual([{ note: "mine" }]);
              else expect(isDatabaseUnavailable(outcome.reason)).toBe(true);
            }
            cancelled += outcomes.filter(({ status }) => status === "rejected").length;
          }
        } finally {
          isDone = true;
          await cancelling;
        }
      },
    );
  },
);

// A function takes a tenant in the same way, whether its database has row-level security or not, and inside a transaction.
const secured = connectTenants<Tables>({ url, name: "secured", role: ROLE, connectionsMax: 2, logger });
atEnd(secured.stop);
const write = ({ tenantId, query }: Tenant<Tables>, note: string) =>
  query({ text: "insert into notes values ($1, $2)", values: [tenantId, note] });

test.each<[string, (id: string) => Tenant<Tables>]>([
  ["with", (id) => secured.of(id)],
  ["without", (id) => tenantOf(owner.db, id)],
])("%s row-level security, a transaction inside another is a part of it", async (_, of) => {
  const tenant = of(randomUUID());
  const failing = tenant.transaction(async (tx) => {
    await tx.transaction((inner) => write(inner, "inner"));
    await write(tx.batched, "outer");
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  await tenant.transaction((tx) => tx.transaction((inner) => write(inner, "kept")));
  await write(tenant.batched, "batched");
  const text = "select note from notes where tenant_id = $1 order by note";
  const { rows: notes } = await tenant.query({ text, values: [tenant.tenantId] });
  expect(notes).toEqual([{ note: "batched" }, { note: "kept" }]);
});
