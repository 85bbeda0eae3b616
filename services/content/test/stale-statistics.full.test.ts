// Entries that are due at once are published by reading each entry's few rows, even if the planner's statistics are older than
// the tenant's entries. A join that reads all rows of the tenant then looks just as cheap.
import { until } from "@tradepost/testing";
import { insertDue, waitingCount } from "./support/due-entries.ts";
import { inSeconds, putType } from "./support/editing.ts";
import { ownTestContent } from "./support/test-content.ts";

const COUNT = 400;
const READS_PER_ENTRY_MAX = 20;

const content = await ownTestContent();

describe("entries that are newer than the statistics", () => {
  const publish = async (count: number) => {
    const tenant = content.newTenant();
    await putType(tenant);
    await insertDue(content, tenant, { count, at: inSeconds(0) });
    await until("the entries to be live", async () => (await waitingCount(content, tenant)) === 0);
  };
  const counters = async (): Promise<Record<string, { reads: number; updates: number }>> => {
    const [row] = await content.sql(`
      select json_object_agg(relname, json_build_object(
               'updates', n_tup_upd, 'reads', seq_tup_read + coalesce(idx_tup_fetch, 0))) as counters
        from pg_stat_user_tables`);
    return row.counters;
  };
  /** Connections report what they have read when they close, otherwise after a pause of 10 s. */
  const countersAfter = async (updates: number) => {
    await content.restart();
    await until(
      "all updates to be counted",
      async () => ((await counters()).entries?.updates ?? 0) >= updates,
    );
    return await counters();
  };

  test("are published by reading a few rows for each", async () => {
    for (const table of ["entries", "entry_revisions", "entry_slugs"]) {
      await content.sql(`alter table ${table} set (autovacuum_enabled = off)`);
    }
    await publish(COUNT);
    const before = await countersAfter(COUNT);
    await content.sql("analyze");
    await publish(COUNT);
    const after = await countersAfter((before.entries?.updates ?? 0) + COUNT);
    for (const table of ["entry_revisions", "entry_slugs"]) {
      const reads = (after[table]?.reads ?? 0) - (before[table]?.reads ?? 0);
      expect(reads).toBeGreaterThan(0);
      expect(reads / COUNT).toBeLessThan(READS_PER_ENTRY_MAX);
    }
  });
});
