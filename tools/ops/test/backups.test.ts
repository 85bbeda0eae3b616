// Whether backups suffice for a restore: the files in the folder, and whether the server archives.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createTestDatabase } from "@tradepost/testing";
import { missingSegment } from "../src/backups.ts";
import { run } from "./support/run.ts";

const FROM = "0000000100000000000000FE";

test.each([
  [["0000000100000000000000FE"], null],
  [[], "0000000100000000000000FE"],
  [["0000000100000000000000FD", "0000000100000000000000FE", "0000000100000000000000FF"], null],
  [["0000000100000000000000FE", "0000000100000000000000FF", "000000010000000100000000"], null],
  [["0000000100000000000000FE", "000000010000000100000000"], "0000000100000000000000FF"],
  [["0000000100000000000000FE", "0000000200000000000000FF", "000000020000000100000000"], null],
])("of %j since the base backup, the first segment missing is %s", (archived, missing) => {
  expect(missingSegment(archived, FROM)).toBe(missing);
});

const database = await createTestDatabase();

describe("ops backups check", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "tradepost-backups-"));
  const base = path.join(directory, "orders/base/2026-11-27");
  const wal = path.join(directory, "orders/wal");
  for (const folder of [base, wal, path.join(directory, "content/base/unfinished")])
    mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(base, "backup_label"), `START WAL LOCATION: 0/FE000028 (file ${FROM})\n`);
  writeFileSync(path.join(base, "backup_manifest"), "{}");
  const tenHoursAgo = Date.now() / 1_000 - 10 * 3_600;
  utimesSync(path.join(base, "backup_manifest"), tenHoursAgo, tenHoursAgo);
  writeFileSync(path.join(wal, FROM), "");
  afterAll(async () => {
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  const check = async (options = "") => {
    const { url } = database;
    const { code, stdout, stderr } = await run(`backups check --json${options}`, {
      addresses: () => ({
        databases: { gateway: url, orders: url, content: url, webhooks: url },
        amqpUrl: "amqp://127.0.0.1:9",
        managementUrl: "http://127.0.0.1:9",
      }),
    });
    return { code, stderr, checked: stdout === "" ? [] : JSON.parse(stdout) };
  };

  test("names a server that does not archive, a missing base backup and one that is too old", async () => {
    const { code, checked } = await check(` --directory ${directory} --max-age-hours 9`);
    const archives = "The server does not archive its WAL.";
    const none = "There is no complete base backup.";
    expect(code).toBe(1);
    expect(
      checked.map(({ service, faults }: { service: string; faults: string[] }) => [service, faults]),
    ).toEqual([
      ["gateway", [archives, none]],
      ["orders", [archives, "The newest base backup is older than 9 hours."]],
      ["content", [archives, none]],
      ["webhooks", [archives, none]],
    ]);
    expect(checked[1]).toMatchObject({ newestBackup: "2026-11-27", ageHours: 10, lastArchivedAt: null });
  });

  test("needs a folder", async () => {
    const { code, stderr } = await check();
    expect([code, stderr]).toEqual([1, "Name the folder of the backups with --directory or BACKUPS_DIR.\n"]);
  });
});
