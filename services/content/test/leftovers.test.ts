// Files that belong to no asset: those that cannot be removed do not hide the others.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { startTestContent } from "./support/test-content.ts";

const LOOKED_AT_AT_ONCE = 100;

test("a hundred leftovers that cannot be removed do not hide the one behind them", async () => {
  const content = await startTestContent();
  try {
    const [stuck, removable, mediaId] = [randomUUID(), randomUUID(), randomUUID()];
    // A file in place of the tenant's folder: nothing under it can be looked at.
    await writeFile(`${content.mediaDir}/${stuck}`, "");
    await mkdir(`${content.mediaDir}/${removable}/${mediaId}`, { recursive: true });
    await content.sql(
      `insert into storage_leftovers
       select $1::uuid, gen_random_uuid(), now() - interval '1 hour' from generate_series(1, ${LOOKED_AT_AT_ONCE})
       union all select $2, $3, now()`,
      [stuck, removable, mediaId],
    );
    await until(
      "the other to be removed",
      async () => (await readdir(`${content.mediaDir}/${removable}`)).length === 0,
    );
    const [row] = await content.sql(
      "select count(*)::int as count from storage_leftovers where remove_at > now()",
    );
    expect(row.count).toBe(LOOKED_AT_AT_ONCE);
  } finally {
    await content.stop();
  }
});
