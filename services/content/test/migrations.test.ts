// A new version's migrations run while the version before it still serves: what that one reads and writes must go on
// working, as the role that it works as. Its statements stand in `previous-versions/`, one folder for each version that
// was published, as they were.
import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { migrate } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { createTestDatabase, type TestDatabase } from "@tradepost/testing";
import pg from "pg";

const MIGRATIONS = fileURLToPath(new URL("../migrations/", import.meta.url));
const PREVIOUS = fileURLToPath(new URL("previous-versions/", import.meta.url));
const ROLES = ["tradepost_content", "tradepost_content_worker"];
const logger = createLogger("test", "silent");

describe("migrations", () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let owner: { name: string; url: string };
  beforeAll(async () => {
    database = await createTestDatabase();
    admin = new pg.Client(database.url);
    await admin.connect();
    owner = await createOwner(admin, database.url);
  });
  afterAll(async () => {
    await admin.query(`drop owned by ${owner.name} cascade`);
    await admin.query(`drop role ${owner.name}`);
    await admin.end();
    await database.drop();
  });

  test("the version before reads and writes on the newest schema as it did on its own", async () => {
    await migrateTo("0001", owner.url);
    const before = await previousVersion("0001", owner.url);
    const tenantId = randomUUID();
    const [first, second] = [randomUUID(), randomUUID()];
    const add = async (id: string, from: string, to: string) => {
      const added = await before.run("insert-redirect", [tenantId, id, from, to, to, 301]);
      const event = [randomUUID(), id, "redirect.added", tenantId, "request", "trace", "{}", "{}"];
      await before.run("insert-event", event);
      return added;
    };
    expect(await add(first, "/a", "/b")).toMatchObject([{ id: first, from_path: "/a" }]);
    const read = async () => ({
      one: await before.run("find-redirect", [tenantId, first]),
      from: await before.run("find-redirect-from", [tenantId, "/a"]),
      leads: await before.run("leads-to", ["/a", tenantId, "/b"]),
    });
    const seen = await read();
    expect([seen.one.length, seen.from.length, seen.leads]).toEqual([1, 1, [{ found: true }]]);

    await migrate({ url: owner.url, folder: new URL("../migrations/", import.meta.url), logger });
    expect(await read()).toEqual(seen);
    expect((await add(second, "/b", "/c")).length).toBe(1);
    expect(await before.run("leads-to", ["/a", tenantId, "/c"])).toEqual([{ found: true }]);
    await expect(add(randomUUID(), "/a", "/d")).rejects.toMatchObject({ constraint: "redirects_from_key" });
    const listed = await before.run("list-redirects", [tenantId, 10]);
    expect(listed.map(({ id }) => id)).toEqual([second, first]);
    expect(await before.run("delete-redirect", [tenantId, first])).toMatchObject([{ id: first }]);
    // Its relay, too, sees and deletes every event.
    const events = [];
    for (const shard of [0, 1, 2, 3]) events.push(...(await before.run("claim-events", [shard])));
    expect(events.map(({ aggregate_id }) => aggregate_id).sort()).toEqual([first, second].sort());
    expect(await before.run("delete-published", [events.map(({ id }) => id)])).toEqual([]);
    expect((await admin.query("select from outbox")).rowCount).toBe(0);
    await before.stop();
  });

  test("run by an owner that is no superuser give the roles what they need, and twice change nothing", async () => {
    await migrate({ url: owner.url, folder: new URL("../migrations/", import.meta.url), logger });
    const client = new pg.Client(owner.url);
    await client.connect();
    for (const role of ROLES) {
      await client.query(`set role ${role}`);
      expect((await client.query("select id from entries")).rowCount).toBe(0);
      await client.query("reset role");
    }
    await client.end();
  });
});

/** A role as `npm start` and the compose file make one: it owns the database, and is no superuser. */
async function createOwner(admin: pg.Client, databaseUrl: string) {
  const name = `owner_${randomBytes(6).toString("hex")}`;
  await admin.query(`create role ${name} login createrole password 'test'`);
  for (const role of ROLES) {
    await admin.query(`
      do $$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $$`);
    await admin.query(`grant ${role} to ${name} with admin option`);
  }
  const url = new URL(databaseUrl);
  await admin.query(`grant create on schema public to ${name}`);
  await admin.query(`grant create on database ${url.pathname.slice(1)} to ${name}`);
  url.username = name;
  url.password = "test";
  return { name, url: url.href };
}

/** Migrates as far as a version did: its own migration and the ones before it. */
async function migrateTo(number: string, url: string): Promise<void> {
  const file = (await readdir(MIGRATIONS)).find((name) => name.startsWith(number)) ?? "";
  const folder = new URL("../migrations/", import.meta.url);
  await migrate({ url, folder, upTo: path.basename(file, ".sql"), logger });
}

/** The statements of a version, on a connection that was open before the new one's migrations ran. */
async function previousVersion(number: string, url: string) {
  const client = new pg.Client(url);
  await client.connect();
  return {
    run: async (statement: string, values: unknown[]) => {
      const text = await readFile(path.join(PREVIOUS, number, `${statement}.sql`), "utf8");
      return (await client.query(text, values)).rows;
    },
    stop: () => client.end(),
  };
}
