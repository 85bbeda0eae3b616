import { randomUUID } from "node:crypto";
import { connectTenants, type TenantDatabases, violatedConstraint } from "@tradepost/postgres";
import { databaseAddress } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { logger, useDatabase } from "./support/use-database.ts";

const ROLE = "tradepost_group_commit_test";

interface Row {
  tenant_id: string;
  note: string;
  committed_in: string;
}

const { url, owner, createTenantRole } = await useDatabase();
await owner.pool.query(`
  create table notes (tenant_id uuid not null, note text not null check (note <> 'bad'), unique (note));
  create table counters (tenant_id uuid primary key, count int not null)`);
await createTenantRole(ROLE, "select, insert, update", "notes", "counters");

describe.each(["none", "transaction"] as const)("batched statements, pooler: %s", (pooler) => {
  let tenants: TenantDatabases<Record<string, never>>;

  beforeEach(async () => {
    await owner.pool.query("truncate notes, counters");
    tenants = connectTenants({
      url: databaseAddress(url, { POSTGRES_POOLER: pooler }),
      ...{ role: ROLE, name: "groups", connectionsMax: 10, logger },
      // Only the group's lock timeout may end a wait for a lock.
      statementTimeoutMs: 0,
    });
  });

  afterEach(() => tenants.stop());

  const write = (tenantId: string, note: string) =>
    tenants.of(tenantId).batched.query<Row>({
      name: "write",
      text: "insert into notes (tenant_id, note) values ($1, $2) returning tenant_id, note, xmin::text as committed_in",
      values: [tenantId, note],
    });
  const written = async () => {
    const { rows } = await owner.pool.query<Row>(
      "select tenant_id, note, xmin::text as committed_in from notes",
    );
    return rows;
  };
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `note ${index}`);

  test("commit together, and each returns its own result", async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    const notes = numbered(20);
    const results = await Promise.all(notes.map((note, index) => write(index % 2 === 0 ? a : b, note)));
    expect(results.map(({ rows }) => rows[0]?.note)).toEqual(notes);
    expect(results.map(({ rows }) => rows[0]?.tenant_id)).toEqual(
      notes.map((_, index) => (index % 2 === 0 ? a : b)),
    );
    expect(new Set((await written()).map(({ committed_in }) => committed_in)).size).toBe(1);
  });

  test("are committed even if one of them fails, and only that one rejects", async () => {
    const tenantId = randomUUID();
    const notes = ["first", ...numbered(5), "bad", "first"];
    const results = await Promise.allSettled(notes.map((note) => write(tenantId, note)));
    const failures = results.flatMap((result, index) =>
      result.status === "rejected" ? [`${notes[index]}: ${violatedConstraint(result.reason)}`] : [],
    );
    // After the group has failed, its statements run by themselves, in any order: either of the two may be the second.
    expect(failures.sort()).toEqual(["bad: notes_note_check", "first: notes_note_key"]);
    expect((await written()).map(({ note }) => note).sort()).toEqual(["first", ...numbered(5)].sort());
  });

  test("do not wait for a lock that only one of them needs", async () => {
    const [held, free] = [randomUUID(), randomUUID()];
    await owner.pool.query("insert into counters values ($1, 0)", [held]);
    const holder = await owner.pool.connect();
    await holder.query("begin");
    await holder.query("update counters set count = 1 where tenant_id = $1", [held]);
    const count = (tenantId: string) =>
      tenants.of(tenantId).batched.query<{ count: number }>({
        text: `insert into counters as counter values ($1, 1)
               on conflict (tenant_id) do update set count = counter.count + 1 returning count`,
        values: [tenantId],
      });
    let isHeldResolved = false;
    const first = write(free, "first");
    const waiting = count(held).then(({ rows }) => {
      isHeldResolved = true;
      return rows;
    });
    await Promise.all([first, ...numbered(5).map((note) => write(free, note)), count(free)]);
    expect(isHeldResolved).toBe(false);
    // Later statements do not wait for the lock either.
    await Promise.all(["later", "still later"].map((note) => write(free, note)));
    expect(isHeldResolved).toBe(false);
    await holder.query("commit");
    holder.release();
    expect(await waiting).toEqual([{ count: 2 }]);
  });

  test("see and write only their own tenant's rows", async () => {
    const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
    await Promise.all([write(a, "a's"), write(b, "b's")]);
    const read = (tenantId: string) =>
      tenants.of(tenantId).batched.query<Row>({ text: "select note from notes", values: [] });
    const [, ofA, ofB, ofC] = await Promise.all([read(c), read(a), read(b), read(c)]);
    expect([ofA, ofB, ofC].map((result) => result?.rows)).toEqual([[{ note: "a's" }], [{ note: "b's" }], []]);
    const forged = tenants.of(a).batched.query({
      text: "insert into notes (tenant_id, note) values ($1, 'forged')",
      values: [b],
    });
    const outcomes = await Promise.allSettled([write(a, "first"), forged, write(b, "honest")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await written()).map(({ note }) => note).sort()).toEqual(["a's", "b's", "first", "honest"]);
  });

  test("are either committed or rejected if their connection is terminated, and work on the next one", async () => {
    const tenantId = randomUUID();
    let isDone = false;
    const terminating = (async () => {
      while (!isDone) {
        await owner.pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'groups'",
        );
      }
    })();
    const acknowledged: string[] = [];
    for (let round = 0; round < 30; round += 1) {
      const notes = numbered(10).map((note) => `${note} of ${round}`);
      const results = await Promise.allSettled(notes.map((note) => write(tenantId, note)));
      acknowledged.push(...notes.filter((_, index) => results[index]?.status === "fulfilled"));
    }
    isDone = true;
    await terminating;
    const stored = new Set((await written()).map(({ note }) => note));
    expect(acknowledged.filter((note) => !stored.has(note))).toEqual([]);
    await until("a write to succeed", async () =>
      (await write(tenantId, randomUUID()).catch(() => undefined)) === undefined ? undefined : true,
    );
  });
});
