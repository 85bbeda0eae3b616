// An older release on a database that a newer one has migrated: it runs there if each migration that it does not know
// promises to work with it.
import { randomBytes } from "node:crypto";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { migrate, waitForMigrations } from "@tradepost/postgres";
import { createLogger, StartError } from "@tradepost/runtime";
import { createTestDatabase } from "@tradepost/testing";
import { readMigrations } from "../src/migrate.ts";
import { promiseOf } from "../src/migration-promises.ts";
import { connect, logger as silent, useDatabase } from "./support/use-database.ts";

const role = `reader_${randomBytes(6).toString("hex")}`;
const NEXT = {
  "0002-size": "-- works with: 1.0.0\nalter table things add column size int;",
  "0003-colour": "-- A colour.\n-- works with: 1.0.0\nalter table things add column colour text;",
};

const root = await mkdtemp(path.join(tmpdir(), "tradepost-newer-"));
const { url: ownUrl, owner, atEnd } = await useDatabase();
await owner.pool.query(`create role ${role} nologin`);
const things = `create table things (id int); grant select on kysely_migration to ${role};`;
/** The folder of release 1.0.0. The folders of newer releases have more files. */
const ours = await deploy("1.0.0", { "0001-things": things });
atEnd(() => owner.pool.query(`drop owned by ${role}; drop role ${role}`));
atEnd(() => rm(root, { recursive: true }));

/** Migrates as a release with these files and returns the folder. */
async function deploy(release: string, files: Record<string, string>, before?: URL): Promise<URL> {
  const folder = await folderOf(release, files, before);
  await migrate({ url: ownUrl, folder, release, logger: silent });
  return folder;
}

async function folderOf(name: string, files: Record<string, string>, before?: URL): Promise<URL> {
  const url = pathToFileURL(`${path.join(root, name)}/`);
  await mkdir(url);
  if (before !== undefined) await cp(before, url, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(new URL(`${file}.sql`, url), text);
  return url;
}

/** Starts the release 1.0.0 as its migrator and as its service, and resolves to the log lines of both. */
async function startOurs(release = "1.0.0"): Promise<object[]> {
  const lines: object[] = [];
  const logger = Object.assign(createLogger("test", "silent"), {
    info: (details: object, text: string) => lines.push({ ...details, text }),
  });
  await migrate({ url: ownUrl, folder: ours, release, logger });
  await waitForMigrations({ url: ownUrl, roles: [role], folder: ours, release, logger });
  return lines;
}

/** Resolves to the reasons that migrator and service give for not starting. */
async function refusals(release = "1.0.0", url = ownUrl): Promise<unknown[]> {
  const asMigrator = migrate({ url, folder: ours, release, logger: silent });
  const asService = waitForMigrations({ url, roles: [role], folder: ours, release, logger: silent });
  const results = await Promise.allSettled([asMigrator, asService]);
  return results.map((result) => {
    if (result.status === "fulfilled") return "started";
    return result.reason instanceof StartError ? result.reason.message : result.reason;
  });
}

describe("release 1.0.0 on a database that a newer release has migrated", () => {
  test("starts silently on its own schema", async () => {
    expect(await startOurs()).toEqual([]);
  });

  let next: URL;

  test("starts and says so if the newer migrations promise to work with it", async () => {
    next = await deploy("1.1.0", NEXT, ours);
    const line = {
      migrations: ["0002-size", "0003-colour"],
      release: "1.0.0",
      text: "a newer release has migrated the database and promises to work with this one",
    };
    expect(await startOurs()).toEqual([line, line]);
    expect(await startOurs("1.10.0")).toHaveLength(2);
    expect((await owner.pool.query("select size, colour from things")).rowCount).toBe(0);
  });

  test("runs no migration of its own after a newer release's", async () => {
    const hotfix = await folderOf("1.0.1", { "0002-hotfix": "-- works with: 1.0.0\nselect 1;" }, ours);
    await expect(migrate({ url: ownUrl, folder: hotfix, release: "1.0.1", logger: silent })).rejects.toThrow(
      "migration 0002-hotfix of release 1.0.1 cannot run after 0002-size, which this release does not know: deploy a release that has both",
    );
  });

  test("refuses if one works only with a newer release, and names both", async () => {
    const contracted = { "0004-no-size": "-- works with: 1.1.0\nalter table things drop column size;" };
    next = await deploy("1.2.0", contracted, next);
    const reason =
      "the database has migration 0004-no-size, which does not work with release 1.0.0: deploy release 1.1.0 or newer";
    expect(await refusals()).toEqual([reason, reason]);
    expect(await startOurs("1.1.0")).toHaveLength(2);
  });

  test("refuses if one does not promise anything", async () => {
    await deploy("1.3.0", { "0005-silent": "select 1;" }, next);
    const reason =
      "the database has migration 0005-silent, which release 1.2.0 does not know, and which does not promise to work with it: deploy the release that has this migration, or a newer one";
    expect(await refusals("1.2.0")).toEqual([reason, reason]);
  });

  test("cannot change the promises as the service's role", async () => {
    const service = connect(ownUrl, { role });
    const change = service.pool.query("update migration_promises set works_with = '0.0.0'");
    await expect(change).rejects.toMatchObject({ code: "42501" });
    await service.stop();
  });
});

test("a database that an earlier build created is refused, by the migrator and by the service", async () => {
  const grant = `-- works with: 0.2.0\ngrant select on kysely_migration to ${role};`;
  const theirs = await folderOf("earlier", { "0001-things-and-more": grant });
  const earlier = await createTestDatabase();
  await migrate({ url: earlier.url, folder: theirs, release: "0.2.0", logger: silent });
  const reason =
    "the database has migration 0001-things-and-more and not 0001-things: it belongs to another service, or to a build before release 1.0.0, which cannot be upgraded: use an empty database";
  expect(await refusals("1.0.0", earlier.url)).toEqual([reason, reason]);
  await earlier.drop();
});

test("a promise that names no release stops the migration", async () => {
  const folder = await folderOf("wrong", { "0001-a": "-- works with: everything\nselect 1;" });
  await expect(migrate({ url: ownUrl, folder, logger: silent })).rejects.toThrow(
    'migration 0001-a: "works with" must be a release such as 1.0.0, not everything',
  );
});

const SERVICES = new URL("../../../services/", import.meta.url);

describe("migrations are read", () => {
  test("from .sql files in order, by their names without .sql", async () => {
    const folder = await folderOf("unordered", { "0002-b": "b", "0001-a": "a" });
    await writeFile(new URL("notes.md", folder), "notes");
    expect([...(await readMigrations(folder))]).toEqual([
      ["0001-a", "a"],
      ["0002-b", "b"],
    ]);
  });

  test("with the file of a package in place of an include line", async () => {
    const text = (await readMigrations(new URL("orders/migrations/", SERVICES))).get("0001-orders");
    expect(text).toMatch(/^create table orders \([\s\S]*^create table outbox \(/m);
    expect(text).not.toContain("-- include:");
    const missing = { "0001-a": "-- include: @tradepost/messaging/sql/missing.sql\n" };
    await expect(readMigrations(await folderOf("missing", missing))).rejects.toThrow("missing.sql");
  });
});

describe("the migrations of the services", () => {
  test.each(["gateway", "orders", "content", "webhooks"])(
    "of %s have a number each and promise to work with a release",
    async (service) => {
      const texts = await readMigrations(new URL(`${service}/migrations/`, SERVICES));
      const names = [...texts.keys()];
      expect(names[0]).toBe(`0001-${service}`);
      expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
      const promises = [...texts].map(([name, text]) => [name, promiseOf(name, text)]);
      expect(promises).toEqual(names.map((name) => [name, expect.any(String)]));
    },
  );
});
