// Old sessions are deleted in batches, by an index; and every foreign key of the gateway has an index.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { newId } from "@tradepost/runtime";
import { sql } from "kysely";
import { deleteOldSessions } from "../src/identity/sessions/session-store.ts";
import { useGateway } from "./support/test-gateway.ts";

const DAY_MS = 24 * 3_600 * 1_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

const gateway = await useGateway();
const tenant = await gateway.createTenant();

describe("old sessions", () => {
  const add = async (sessions: { expires: number; ended?: number }[]) => {
    const rows = sessions.map(({ expires, ended }) => ({
      tenant_id: tenant.tenantId,
      id: newId(),
      user_id: tenant.ownerId,
      refresh_hash: randomBytes(32),
      expires_at: daysFromNow(expires),
      endedAt: ended === undefined ? null : daysFromNow(ended),
    }));
    await gateway.db
      .insertInto("sessions")
      .values(rows.map(({ endedAt: _, ...row }) => row))
      .execute();
    for (const { id, endedAt } of rows) {
      if (endedAt === null) continue;
      await gateway.db.updateTable("sessions").set({ ended_at: endedAt }).where("id", "=", id).execute();
    }
    return rows.map(({ id }) => id);
  };
  const remaining = async (ids: string[]) => {
    const rows = await gateway.db.selectFrom("sessions").select("id").where("id", "in", ids).execute();
    return ids.map((id) => rows.some((row) => row.id === id));
  };

  test("that ended or expired 8 days ago are deleted; newer and open ones are not", async () => {
    const ids = await add([
      { expires: 20, ended: -8 },
      { expires: -8 },
      { expires: 20, ended: -6 },
      { expires: -6 },
      { expires: 20 },
    ]);
    await deleteOldSessions(gateway.db);
    expect(await remaining(ids)).toEqual([false, false, true, true, true]);
    expect((await tenant.owner.get("/v1/me")).status).toBe(200);
  });

  test("are deleted a thousand at a time, the oldest first", async () => {
    const old = await add(Array.from({ length: 1_000 }, () => ({ expires: -20 })));
    const younger = await add([{ expires: -10 }]);
    expect(await deleteOldSessions(gateway.db)).toBe(1_000);
    expect(new Set(await remaining(old))).toEqual(new Set([false]));
    expect(await remaining(younger)).toEqual([true]);
    expect(await deleteOldSessions(gateway.db)).toBe(1);
  });

  test("that another replica is deleting are skipped without waiting", async () => {
    const [id] = await add([{ expires: -20 }]);
    await gateway.db.transaction().execute(async (tx) => {
      await tx
        .selectFrom("sessions")
        .select("id")
        .where("id", "=", id ?? "")
        .forUpdate()
        .execute();
      expect(await deleteOldSessions(gateway.db)).toBe(0);
    });
    expect(await deleteOldSessions(gateway.db)).toBe(1);
  });

  test("every foreign key is the prefix of an index", async () => {
    const { rows } = await sql<{ key: string }>`
      select conrelid::regclass || ': ' || conname as key
        from pg_constraint
       where contype = 'f'
         and not exists (
               select from pg_index
                where indrelid = conrelid and indpred is null
                  and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey)`.execute(gateway.db);
    expect(rows).toEqual([]);
  });

  test.each([
    ["sessions_of_user", "select from sessions where tenant_id = $1 and user_id = $1"],
    ["sessions_over", "select from sessions where least(ended_at, expires_at) < now() - interval '7 days'"],
    [
      "audit_log_of_target",
      "select from audit_log where tenant_id = $1 and target_id = 'x' order by created_at desc, id desc limit 2",
    ],
  ])("the index %s is used", async (index, query) => {
    const text = query.replaceAll("$1", `'${tenant.tenantId}'`);
    const plan = await gateway.db.transaction().execute(async (tx) => {
      // Postgres would otherwise scan a small table.
      await sql`set local enable_seqscan = off`.execute(tx);
      return JSON.stringify((await sql`explain ${sql.raw(text)}`.execute(tx)).rows);
    });
    expect(plan).toContain(index);
  });
});
