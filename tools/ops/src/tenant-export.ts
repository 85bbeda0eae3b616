// `ops tenant export`: writes all data that the four services have of a tenant to an archive of JSON lines (interface §9).
import { mediaFileKeys, openMediaFiles, type ReadMediaFile } from "@tradepost/content/operate";
import { type ServiceName, tenantTables } from "@tradepost/data-map";
import type { Command } from "commander";
import { type Kysely, sql } from "kysely";
import type { Operator } from "./operator.ts";
import { type Archive, openArchive } from "./tenant-data/archive.ts";
import { readRows } from "./tenant-data/read-rows.ts";
import { findTenant } from "./tenant-suspension.ts";
import { withDatabase } from "./with-database.ts";

const FORMAT = 1;
// Base64 of a multiple of 3 bytes has no padding.
const CHUNK_BYTES = 192 * 1024;
// Each statement opens a cursor or fetches from one.
const STATEMENT_TIMEOUT_MS = 5 * 60_000;

type Counts = Record<string, Record<string, number>>;

export function addExportCommand(tenant: Command, operator: Operator): void {
  tenant
    .command("export")
    .description(
      "write everything that the services hold of the tenant to a file of JSON lines, without secrets",
    )
    .argument("<slug>", "the tenant's slug or id")
    .requiredOption("--to <file>", "the file to write; it must not exist")
    .action(async (slug: string, { to: file }: { to: string }) => {
      const addresses = operator.addresses();
      const found = await findTenant(addresses.databases, slug);
      const archive = await openArchive(file);
      try {
        const counts: Counts = {};
        const header = { kind: "archive", format: FORMAT, tenantId: found.id, slug: found.slug };
        await archive.write(JSON.stringify({ ...header, exportedAt: new Date() }));
        for (const service of Object.keys(tenantTables) as ServiceName[]) {
          counts[service] = await withDatabase<Record<string, never>, Record<string, number>>(
            addresses.databases[service],
            (db) => exportService(db, service, found.id, archive, addresses.mediaEnvironment),
            { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
          );
        }
        await archive.write(JSON.stringify({ kind: "end", counts }));
        await archive.complete();
        const lines = Object.values(counts).flatMap((ofOne) => Object.values(ofOne));
        const total = lines.reduce((sum, count) => sum + count, 0);
        operator.print(
          { tenantId: found.id, file, counts },
          `Exported ${total} records of tenant ${found.slug} to ${file}.`,
        );
      } finally {
        await archive.discard();
      }
    });
}

/** Writes all tables of a service as they were at one moment. Returns the number of records of each kind. */
async function exportService(
  db: Kysely<Record<string, never>>,
  service: ServiceName,
  tenantId: string,
  archive: Archive,
  mediaEnvironment: Record<string, string | undefined> | undefined,
): Promise<Record<string, number>> {
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (tx) => {
      const counts: Record<string, number> = {};
      const count = (kind: string) => {
        counts[kind] = (counts[kind] ?? 0) + 1;
      };
      for (const table of tenantTables[service]) {
        counts[table.kind] = 0;
        const files = table.kind === "media" ? mediaFiles(mediaEnvironment) : null;
        for await (const line of readRows(tx, table, tenantId)) {
          // The row is JSON already.
          await archive.write(`{"service":"${service}","kind":"${table.kind}","data":${line}}`);
          count(table.kind);
          if (files !== null)
            await exportFiles(db, await files(), JSON.parse(line), tenantId, archive, count);
        }
      }
      return counts;
    });
}

/** Opens the storage when the first file is needed, because a platform without media need not have its settings. */
function mediaFiles(
  environment: Record<string, string | undefined> | undefined,
): () => Promise<ReadMediaFile> {
  let opened: Promise<ReadMediaFile> | undefined;
  return () => {
    if (environment === undefined)
      throw new Error(
        "Set CONTENT_MEDIA_DIR or CONTENT_S3_BUCKET as for the content service; the tenant has media.",
      );
    opened ??= openMediaFiles(environment);
    return opened;
  };
}

interface MediaRow {
  readonly id: string;
  readonly variants: readonly { readonly name: string }[];
}

async function exportFiles(
  db: Kysely<Record<string, never>>,
  readFile: ReadMediaFile,
  media: MediaRow,
  tenantId: string,
  archive: Archive,
  count: (kind: string) => void,
): Promise<void> {
  for (const key of mediaFileKeys(tenantId, media)) {
    const stream = await readFile(key);
    if (stream === null) {
      if (!(await isStillThere(db, tenantId, media.id))) return;
      throw new Error(`The file ${key} is missing. Are the storage's settings the content service's?`);
    }
    let part = 0;
    const write = async (bytes: Buffer, isLast: boolean) => {
      const chunk = {
        service: "content",
        kind: "media_file",
        key,
        part,
        isLast,
        base64: bytes.toString("base64"),
      };
      await archive.write(JSON.stringify(chunk));
      part += 1;
    };
    let rest = Buffer.alloc(0);
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, bytes]);
      for (; rest.length > CHUNK_BYTES; rest = rest.subarray(CHUNK_BYTES)) {
        await write(rest.subarray(0, CHUNK_BYTES), false);
      }
    }
    await write(rest, true);
    count("media_file");
  }
}

/** Whether the asset still exists. It may have been deleted after the snapshot. */
async function isStillThere(
  db: Kysely<Record<string, never>>,
  tenantId: string,
  mediaId: string,
): Promise<boolean> {
  const { rows } = await sql`select from media where tenant_id = ${tenantId} and id = ${mediaId}`.execute(db);
  return rows.length > 0;
}
