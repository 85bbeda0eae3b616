// Row-level security of media: with one tenant set, the service's role cannot read, change or insert another tenant's rows.
// The worker's role sees whose images wait and nothing else.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import pg from "pg";
import { upload } from "./support/media-client.ts";
import { startTestContent, type TestContent } from "./support/test-content.ts";

const DENIED = "42501";

describe("row-level security of media", () => {
  let content: TestContent;
  let client: pg.Client;
  const [ours, theirs] = [randomUUID(), randomUUID()];

  beforeAll(async () => {
    content = await startTestContent();
    client = new pg.Client(content.databaseUrl);
    await client.connect();
    for (const tenantId of [ours, theirs]) {
      await upload(content.newTenant(tenantId), "x", tenantId);
      await client.query("insert into storage_leftovers values ($1, $2, 'infinity')", [
        tenantId,
        randomUUID(),
      ]);
    }
  });
  afterAll(async () => {
    await client.end();
    await content.stop();
  });

  const actAs = async (role: string, tenantId = "") => {
    await client.query(`reset role; set role ${role}`);
    await client.query("select set_config('tradepost.tenant_id', $1, false)", [tenantId]);
  };
  const codeOf = (statement: string, values: unknown[] = []) =>
    client.query(statement, values).then(
      () => "allowed",
      ({ code }) => code,
    );
  const tenantsIn = async (table: string) =>
    (await client.query(`select distinct tenant_id from ${table}`)).rows.map((row) => row.tenant_id);

  test.each(["media", "storage_leftovers"])("shows only the tenant's rows of %s", async (table) => {
    await actAs("tradepost_content", ours);
    expect(await tenantsIn(table)).toEqual([ours]);
    await actAs("tradepost_content");
    expect(await tenantsIn(table)).toEqual([]);
  });

  test("refuses to change or delete another tenant's rows", async () => {
    await actAs("tradepost_content", ours);
    await client.query("update media set filename = 'changed'");
    await client.query("delete from storage_leftovers");
    await client.query("reset role");
    const { rows } = await client.query("select filename from media where tenant_id = $1", [theirs]);
    expect(rows).toEqual([{ filename: theirs }]);
    expect(await tenantsIn("storage_leftovers")).toEqual([theirs]);
  });

  test("refuses to insert rows of another tenant", async () => {
    await actAs("tradepost_content", ours);
    const leftover = "insert into storage_leftovers values ($1, gen_random_uuid(), now())";
    expect(await codeOf(leftover, [theirs])).toBe(DENIED);
    expect(await codeOf("update media set tenant_id = $1", [theirs])).toBe(DENIED);
  });

  test("lets the worker find due images, but not read filenames", async () => {
    await actAs("tradepost_content_worker");
    expect((await tenantsIn("media")).sort()).toEqual([ours, theirs].sort());
    expect(await codeOf("select filename from media")).toBe(DENIED);
    expect(await codeOf("update media set status = 'ready'")).toBe(DENIED);
  });
});
