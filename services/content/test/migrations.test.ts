// Migrations run while the previous version still serves requests, so its statements must still work, with its role. They
// are in `previous-versions/`, a folder for each published version.
import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { migrate } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { createTestDatabase, type TestDatabase } from "@tradepost/testing";
import pg from "pg";
import { normalPath } from "../src/redirect/site-path.ts";

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

  test("the statements of the previous version work on the newest schema", async () => {
    await migrateTo("0001", owner.url);
    const previous = await previousVersion("0001", owner.url);
    const tenantId = randomUUID();
    const [first, second] = [randomUUID(), randomUUID()];
    const add = async (id: string, from: string, to: string) => {
      const added = await previous.run("insert-redirect", [tenantId, id, from, to, to, 301]);
      const event = [randomUUID(), id, "redirect.added", tenantId, "request", "trace", "{}", "{}"];
      await previous.run("insert-event", event);
      return added;
    };
    expect(await add(first, "/a", "/b")).toMatchObject([{ id: first, from_path: "/a" }]);
    const read = async () => ({
      one: await previous.run("find-redirect", [tenantId, first]),
      from: await previous.run("find-redirect-from", [tenantId, "/a"]),
      leads: await previous.run("leads-to", ["/a", tenantId, "/b"]),
    });
    await add(randomUUID(), "/caf%c3%a9", "/%7Eshop");
    const seen = await read();
    expect([seen.one.length, seen.from.length, seen.leads]).toEqual([1, 1, [{ found: true }]]);

    await migrate({ url: owner.url, folder: new URL("../migrations/", import.meta.url), logger });
    expect(await read()).toMatchObject(seen);
    expect((await add(second, "/b", "/c")).length).toBe(1);
    expect(await previous.run("leads-to", ["/a", tenantId, "/c"])).toEqual([{ found: true }]);
    await expect(add(randomUUID(), "/a", "/d")).rejects.toMatchObject({ constraint: "redirects_from_key" });
    const listed = await previous.run("list-redirects", [tenantId, 10]);
    expect(listed.map(({ id }) => id)).toEqual([second, expect.any(String), first]);
    expect(await previous.run("delete-redirect", [tenantId, first])).toMatchObject([{ id: first }]);
    expect(await previous.run("find-redirect-from", [tenantId, "/caf%c3%a9"])).toMatchObject([
      { normal_from: "/caf%C3%A9", to_path: "/~shop" },
    ]);
    // The previous version's relay sees and deletes every event, too.
    const events = [];
    for (const shard of [0, 1, 2, 3]) events.push(...(await previous.run("claim-events", [shard])));
    expect(events.map(({ aggregate_id }) => aggregate_id)).toEqual(expect.arrayContaining([first, second]));
    expect(await previous.run("delete-published", [events.map(({ id }) => id)])).toEqual([]);
    expect((await admin.query("select from outbox")).rowCount).toBe(0);
    await previous.stop();
  });

  test("find the same normal form of a stored path as the service", async () => {
    const octets = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, "0"));
    const encoded = octets.flatMap((octet) => [`/%${octet}`, `/%${octet.toUpperCase()}`]);
    const typed = Array.from({ length: 94 }, (_, index) => `/${String.fromCharCode(33 + index)}`);
    const previously = [...encoded, ...typed, "/%zz%", "/%2%65", "/%252e/%c3%BC", `/${"|".repeat(700)}`]
      // As 0.2.0 stored them.
      .map((path) => new URL(`http://site${path.replace(/[?#]/, "")}`).pathname);
    const { rows } = await admin.query(
      "select path, normal_path(path) as normal from unnest($1::text[]) as path",
      [previously],
    );
    // The service also drops a slash at the end.
    const dropSlash = (path: string | null) => path?.replace(/(.)\/+$/, "$1") ?? null;
    expect(rows.map(({ normal }) => dropSlash(normal))).toEqual(previously.map(normalPath));
  });

  test("run as an owner without superuser rights, grant the roles their permissions, and can run again", async () => {
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

/** Creates a role as `npm start` and the compose file do: it may create tables, and is not a superuser. */
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

/** Migrates up to and including the given migration. */
async function migrateTo(number: string, url: string): Promise<void> {
  const file = (await readdir(MIGRATIONS)).find((name) => name.startsWith(number)) ?? "";
  const folder = new URL("../migrations/", import.meta.url);
  await migrate({ url, folder, upTo: path.basename(file, ".sql"), logger });
}

/** Runs statements of a version on a connection that was open before the newer migrations ran. */
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
