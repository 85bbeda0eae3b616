// Reads a page of an export, optionally with a condition that no index supports (interface §19). Each statement compares a limited
// number of rows, so that it does not take long, however rare the matches are.
import type { ExportPage, Position } from "@tradepost/http";
import { oldestFirst, type Tenant } from "@tradepost/postgres";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";

const COMPARED_ROWS_MAX = 10_000;

interface Pages<Database, Table extends keyof Database, Row, Shown extends Position> {
  readonly matching: SelectQueryBuilder<Database, Table, Row>;
  readonly condition: RawBuilder<boolean> | undefined;
  readonly after: Position | null;
  readonly read: (
    rows: SelectQueryBuilder<Database, Table, Row>,
    after: Position | null,
  ) => Promise<{ rows: readonly Shown[]; hasMore: boolean }>;
}

/** Reads the rows behind `after` that meet the condition. `next` is the last row that was compared, if more follow. */
export async function readExportPage<
  Tables,
  Database,
  Table extends keyof Database,
  Row,
  Shown extends Position,
>(
  tenant: Tenant<Tables>,
  { matching, condition, after, read }: Pages<Database, Table, Row, Shown>,
): Promise<ExportPage<Shown>> {
  if (condition === undefined) {
    const { rows, hasMore } = await read(matching, after);
    return { rows, next: hasMore ? (rows.at(-1) ?? null) : null };
  }
  const compared = oldestFirst(matching, { limit: COMPARED_ROWS_MAX, after });
  const ends = await sql<Position>`
    select created_at as "createdAt", id from (${compared}) compared
     order by created_at, id offset ${COMPARED_ROWS_MAX - 1} limit 1`.execute(tenant.db);
  const end = ends.rows[0] ?? null;
  const meeting = matching.where(condition);
  const upToEnd =
    end === null ? meeting : meeting.where(sql<boolean>`(created_at, id) <= (${end.createdAt}, ${end.id})`);
  const { rows, hasMore } = await read(upToEnd, after);
  return { rows, next: hasMore ? (rows.at(-1) ?? null) : end };
}
