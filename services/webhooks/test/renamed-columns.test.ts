// The version before the columns were renamed and this version run on the same database and read each other's rows.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { startTestWebhooks, type TestWebhooks } from "./support/webhooks.ts";

/** The old and the new name of each column. */
const RENAMED = [
  { table: "deliveries", before: "place", after: "queue_state", first: "waiting", second: "queued" },
  {
    ...{ table: "dead_letters", before: "laid_at", after: "published_at" },
    ...{ first: "2026-01-01 00:00:00+00", second: "2026-01-02 00:00:00+00" },
  },
] as const;

describe.each(RENAMED)("$table.$before and $after", ({ table, before, after, first, second }) => {
  let webhooks: TestWebhooks;
  let id: string;

  beforeAll(async () => {
    webhooks = await startTestWebhooks();
    // The service's sweep would change the rows.
    await webhooks.stopService();
  });
  beforeEach(() => {
    id = randomUUID();
  });
  afterAll(() => webhooks.stop());

  const insert = async (column: string, value: string | null) => {
    const fixed =
      table === "deliveries"
        ? { id, status: "pending", next_attempt_at: "now" }
        : {
            delivery_id: id,
            attempts: 1,
            generation: 1,
            created_at: "now",
            failed_at: "now",
            reason: "timeout",
          };
    const row = {
      ...{ tenant_id: id, subscription_id: id, event_id: id, type: "redirect.added" },
      ...fixed,
      [column]: value,
    };
    const names = Object.keys(row);
    await webhooks.pool.query(
      `insert into ${table} (${names}) values (${names.map((_, index) => `$${index + 1}`)})`,
      Object.values(row),
    );
  };
  const update = (column: string, value: string | null) =>
    webhooks.pool.query(`update ${table} set ${column} = $2 where tenant_id = $1`, [id, value]);
  const read = async () => {
    const { rows } = await webhooks.pool.query(
      `select ${before}::text as before, ${after}::text as after from ${table} where tenant_id = $1`,
      [id],
    );
    return rows[0];
  };
  const both = (value: string | null) => ({ before: value, after: value });

  describe.each([
    ["the version before", before, after],
    ["this version", after, before],
  ])("written by %s", (_, column, otherColumn) => {
    test("are equal after an insert", async () => {
      await insert(column, first);
      expect(await read()).toEqual(both(first));
    });

    test("are equal after an insert of null", async () => {
      await insert(column, null);
      expect(await read()).toEqual(both(null));
    });

    test("are equal after each update, also after one by the other version", async () => {
      await insert(column, null);
      for (const value of [first, second, null, second]) {
        await update(column, value);
        expect(await read()).toEqual(both(value));
      }
      await update(otherColumn, first);
      expect(await read()).toEqual(both(first));
      await update(column, second);
      expect(await read()).toEqual(both(second));
    });
  });
});
