// `ops tenant export`: writes all data that the four services have of a tenant to an archive of JSON lines (interface §9).

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { mediaFileKeys, openMediaFiles, type ReadMediaFile } from "@tradepost/content/operate";
import { type ServiceName, tenantTables } from "@tradepost/data-map";
import type { Command } from "commander";
import { type Kysely, sql } from "kysely";
import type { Operator } from "./arguments.ts";
import { readRows } from "./tenant-data/read-rows.ts";
import { findTenant } from "./tenant-suspension.ts";
import { withDatabase } from "./with-database.ts";

const FORMAT = 1;
// Base64 of a multiple of 3 bytes has no padding.
const CHUNK_BYTES = 192 * 1024;
// Each statement opens a cursor or fetches from one.
const STATEMENT_TIMEOUT_MS = 5 * 60_000;

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
      const found = await findTenant(operator, slug);
      const archive = await openArchive(file);
      try {
        const counts: Record<string, Record<string, number>> = {};
        const header = { kind: "archive", format: FORMAT, tenantId: found.id, slug: found.slug };
        await archive.write(JSON.stringify({ ...header, exportedAt: new Date() }));
        for (const service of Object.keys(tenantTables) as ServiceName[]) {
          const work = (db: Kysely<Record<string, never>>) =>
            exportService(db, service, found.id, archive, addresses.mediaEnvironment);
          const options = { statementTimeoutMs: STATEMENT_TIMEOUT_MS };
          counts[service] = await withDatabase(addresses.databases[service], work, options);
        }
        await archive.write(JSON.stringify({ kind: "end", counts }));
        await archive.complete();
        const lines = Object.values(counts).flatMap((ofOne) => Object.values(ofOne));
        const total = lines.reduce((sum, count) => sum + count, 0);
        const sentence = `Exported ${total} records of tenant ${found.slug} to ${file}.`;
        operator.print({ tenantId: found.id, file, counts }, sentence);
      } finally {
        await archive.discard();
      }
    });
}

/** Exports the data of one moment. Returns the number of records of each kind. */
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

async function exportFiles(
  db: Kysely<Record<string, never>>,
  readFile: ReadMediaFile,
  media: Parameters<typeof mediaFileKeys>[1],
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
      const chunk = { service: "content", kind: "media_file", key, part, isLast };
      await archive.write(JSON.stringify({ ...chunk, base64: bytes.toString("base64") }));
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

type Archive = Awaited<ReturnType<typeof openArchive>>;

const BUFFER_CHARACTERS_MAX = 256 * 1024;

/**
 * Writes to a file next to `file`, readable by the current user only, and renames it when it is complete. Throws a sentence for the
 * operator if `file` exists.
 */
async function openArchive(file: string) {
  const part = `${file}.${randomUUID()}.part`;
  // The link at the end refuses it too, but after all the work.
  if (existsSync(file)) throw exists(file);
  const handle = await open(part, "wx", 0o600);
  let buffered: string[] = [];
  let length = 0;
  const flush = async () => {
    await handle.writeFile(buffered.join(""));
    [buffered, length] = [[], 0];
  };
  return {
    write: async (line: string) => {
      buffered.push(line, "\n");
      length += line.length;
      if (length >= BUFFER_CHARACTERS_MAX) await flush();
    },
    complete: async () => {
      await flush();
      await handle.sync();
      // Unlike a rename, a link does not replace a file that was created meanwhile.
      await link(part, file).catch((error: NodeJS.ErrnoException) => {
        throw error.code === "EEXIST" ? exists(file) : error;
      });
    },
    discard: async () => {
      await handle.close();
      await rm(part, { force: true });
    },
  };
}

function exists(file: string): Error {
  return new Error(`${file} exists already; an export overwrites no file.`);
}
