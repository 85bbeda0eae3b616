// Fills tables for tests of query plans, without knowledge of what the rows mean.
import type pg from "pg";

const CHECK_VIOLATION = "23514";

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isUnique: boolean;
  readonly isChecked: boolean;
}

/**
 * As the superuser. Columns of unique indexes get new values, except `tenant_id`, so all rows belong to one tenant. A text keeps
 * its value if a check constraint refuses the new one. Triggers and foreign keys are disabled. Tables with few possible rows do
 * not change. Nothing is analyzed.
 */
export async function multiplyRows(owner: pg.Client, count: number): Promise<void> {
  const { rows } = await owner.query<Column>(COLUMNS);
  await owner.query("set session_replication_role = replica");
  for (const [table, columns] of Map.groupBy(rows, (row) => row.table)) {
    const isCopied = await copyRow(owner, table, columns, count, "all");
    if (!isCopied) await copyRow(owner, table, columns, count, "unchecked");
  }
  await owner.query("reset session_replication_role");
}

async function copyRow(
  owner: pg.Client,
  table: string,
  columns: readonly Column[],
  count: number,
  changed: "all" | "unchecked",
): Promise<boolean> {
  const isChanged = ({ isUnique, isChecked, type }: Column) =>
    isUnique && (changed === "all" || type !== "text" || !isChecked);
  const names = columns.map(({ column }) => column).join(", ");
  const values = columns.map((column) => (isChanged(column) ? newValue(column) : column.column)).join(", ");
  try {
    await owner.query(
      `insert into ${table} (${names}) overriding system value
       select ${values} from (select * from ${table} limit 1) one, generate_series(1, ${count}) copies (copy)
       on conflict do nothing`,
    );
    return true;
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    if (code === CHECK_VIOLATION) return false;
    throw new Error(message);
  }
}

function newValue({ column, type }: Column): string {
  if (type === "uuid") return "gen_random_uuid()";
  if (type === "text") return `${column} || '-' || copy`;
  if (type === "int4" || type === "int8") return `${column} + copy`;
  return column;
}

const COLUMNS = `
  select quote_ident(relname) as "table", quote_ident(attname) as "column", typname as type,
         attname <> 'tenant_id'
           and exists (select from pg_index where indrelid = attrelid and indisunique and attnum = any(indkey)) as "isUnique",
         exists (select from pg_constraint where conrelid = attrelid and contype = 'c' and attnum = any(conkey)) as "isChecked"
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    join pg_type on pg_type.oid = atttypid
   where relnamespace = 'public'::regnamespace and not relispartition and relkind in ('r', 'p')
     and relname not like 'kysely%' and attnum > 0 and not attisdropped and attgenerated = ''
   order by relname, attnum`;
