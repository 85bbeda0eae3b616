// Files that belong to no asset. Files that cannot be deleted do not hide the others.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { until } from "@tradepost/testing";
import { ownTestContent } from "./support/test-content.ts";

const BATCH_MAX = 100;

const content = await ownTestContent();

test("the janitor deletes files behind a hundred that it cannot delete", async () => {
  const [blocked, deletable, mediaId] = [randomUUID(), randomUUID(), randomUUID()];
  // A file in place of the tenant's folder makes every deletion below it fail.
  await writeFile(`${content.mediaDir}/${blocked}`, "");
  await mkdir(`${content.mediaDir}/${deletable}/${mediaId}`, { recursive: true });
  await content.sql(
    `insert into storage_leftovers
     select $1::uuid, gen_random_uuid(), now() - interval '1 hour' from generate_series(1, ${BATCH_MAX})
     union all select $2, $3, now()`,
    [blocked, deletable, mediaId],
  );
  // The replica's janitor runs for the first time at its start.
  await content.startReplica();
  await until(
    "the other files to be deleted",
    async () => (await readdir(`${content.mediaDir}/${deletable}`)).length === 0,
  );
  const [row] = await content.sql(
    "select count(*)::int as count from storage_leftovers where remove_at > now()",
  );
  expect(row.count).toBe(BATCH_MAX);
});
