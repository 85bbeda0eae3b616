// `ops backups check`: whether each database could be restored to the last minutes. That needs a complete base backup, not too old, and
// every file of the WAL since its beginning (docs/containers.md#backups).
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { SERVICES, type ServiceName } from "./addresses.ts";
import { type Operator, positiveNumber } from "./arguments.ts";
import { table } from "./table.ts";

const MAX_AGE_HOURS = 26;
const HOUR_MS = 3_600_000;
// With segments of 16 MiB.
const SEGMENTS_PER_FILE_NUMBER = 256;

export function addBackupsCommand(program: Command, operator: Operator): void {
  program
    .command("backups")
    .description("base backups and archived WAL")
    .command("check")
    .description("check that each database could be restored; exit status 1 if one could not")
    .option(
      "--directory <path>",
      "the folder with <service>/base/<backup> and <service>/wal; by default BACKUPS_DIR",
      process.env.BACKUPS_DIR,
    )
    .option("--max-age-hours <n>", "the age at which a base backup is a fault", positiveNumber, MAX_AGE_HOURS)
    .action(async ({ directory, maxAgeHours }: { directory?: string; maxAgeHours: number }) => {
      if (directory === undefined)
        throw new Error("Name the folder of the backups with --directory or BACKUPS_DIR.");
      const checked = await Promise.all(
        SERVICES.map((service) => check(service, operator, path.join(directory, service), maxAgeHours)),
      );
      const rows = checked.map((one) => ({ ...one, faults: one.faults.join(" ") || "none" }));
      operator.print(checked, table(rows, ""));
      if (checked.some(({ faults }) => faults.length > 0)) operator.fail();
    });
}

interface Archiver {
  readonly archives: boolean;
  readonly isFailing: boolean;
  readonly lastArchivedAt: Date | null;
}

const ARCHIVER = `
  select current_setting('archive_mode') <> 'off' as archives, last_archived_time as "lastArchivedAt",
         coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing"
    from pg_stat_archiver`;

async function check(
  service: ServiceName,
  { ifReachable, on }: Operator,
  directory: string,
  maxAgeHours: number,
) {
  const archiver = await ifReachable(
    on(service, async (_, pool) => (await pool.query<Archiver>(ARCHIVER)).rows[0]),
  );
  const newest = newestBackup(path.join(directory, "base"));
  const missing =
    newest === null ? null : missingSegment(segmentsIn(path.join(directory, "wal")), newest.startSegment);
  const ageHours = newest === null ? null : Math.round(((Date.now() - newest.at) / HOUR_MS) * 10) / 10;
  const faults = [
    archiver?.archives === false && "The server does not archive its WAL.",
    archiver?.isFailing && "The last attempt to archive failed: see the server's log.",
    newest === null && "There is no complete base backup.",
    ageHours !== null &&
      ageHours > maxAgeHours &&
      `The newest base backup is older than ${maxAgeHours} hours.`,
    missing !== null && `The archive lacks ${missing}, which a restore of the newest base backup needs.`,
  ];
  return {
    service,
    newestBackup: newest?.name ?? null,
    ageHours,
    lastArchivedAt: archiver?.lastArchivedAt ?? null,
    /** Empty if the database could be restored. */
    faults: faults.filter((fault) => typeof fault === "string"),
  };
}

/** A backup is complete once it has its manifest, which pg_basebackup writes last. */
function newestBackup(directory: string): { name: string; at: number; startSegment: string } | null {
  const complete = namesIn(directory).flatMap((name) => {
    const file = (of: string) => path.join(directory, name, of);
    const manifest = statSync(file("backup_manifest"), { throwIfNoEntry: false });
    if (manifest === undefined) return [];
    const [, startSegment = ""] =
      /\(file ([0-9A-F]{24})\)/.exec(readFileSync(file("backup_label"), "utf8")) ?? [];
    return [{ name, at: manifest.mtimeMs, startSegment }];
  });
  return complete.toSorted((one, other) => other.at - one.at)[0] ?? null;
}

function segmentsIn(directory: string): string[] {
  return namesIn(directory).filter((name) => /^[0-9A-F]{24}$/.test(name));
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/**
 * Returns the first segment of the WAL, with the default size of 16 MiB, that is missing between `from` and the newest one; null if
 * all exist. A later timeline, which a failover or a restore begins, goes on at the number at which it left the earlier timeline.
 */
export function missingSegment(archived: readonly string[], from: string): string | null {
  const numbers = new Set(archived.map(numberOf));
  const last = Math.max(numberOf(from), ...numbers);
  for (let number = numberOf(from); number <= last; number += 1) {
    if (!numbers.has(number)) return `${from.slice(0, 8)}${nameOf(number)}`;
  }
  return null;
}

function numberOf(segment: string): number {
  const [file, part] = [segment.slice(8, 16), segment.slice(16)].map((hex) => Number.parseInt(hex, 16));
  return Number(file) * SEGMENTS_PER_FILE_NUMBER + Number(part);
}

function nameOf(number: number): string {
  const hex = (part: number) => part.toString(16).toUpperCase().padStart(8, "0");
  return hex(Math.floor(number / SEGMENTS_PER_FILE_NUMBER)) + hex(number % SEGMENTS_PER_FILE_NUMBER);
}
