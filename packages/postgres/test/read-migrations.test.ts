import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { readMigrations } from "../src/migrate.ts";

const ORDERS = new URL("../../../services/orders/migrations/", import.meta.url);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tradepost-migrations-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("reads .sql files in order, by their names without .sql", async () => {
  for (const file of ["0002-b.sql", "0001-a.sql", "notes.md"]) await writeFile(path.join(folder, file), file);
  const migrations = await readMigrations(pathToFileURL(`${folder}/`));
  expect([...migrations]).toEqual([
    ["0001-a", "0001-a.sql"],
    ["0002-b", "0002-b.sql"],
  ]);
});

test("replaces an include line by the file of the package", async () => {
  const text = (await readMigrations(ORDERS)).get("0001-orders");
  expect(text).toMatch(/^create table orders \([\s\S]*^create table outbox \(/m);
  expect(text).not.toContain("-- include:");
});

test("rejects an include line whose file does not exist", async () => {
  await writeFile(path.join(folder, "0001-a.sql"), "-- include: @tradepost/messaging/sql/missing.sql\n");
  await expect(readMigrations(pathToFileURL(`${folder}/`))).rejects.toThrow("missing.sql");
});
