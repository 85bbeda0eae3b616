// Fills tables for tests of plans, without knowing what they mean.
import type pg from "pg";

const CHECK_VIOLATION = "23514";

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isUnique: boolean;
}

/**
 * Copies one row of every table that has one `count` times, as the superuser. The columns of unique indexes get new values,
 * except `tenant_id`; so all rows belong to one tenant. Triggers and foreign keys do not apply. A table whose check
 * constraints allow few values, such as names of modules, is never large and stays as it is. Nothing is analyzed.
 */
export async function multiplyRows(owner: pg.Client, count: number): Promise<void> {
  const { rows } = await owner.query<Column>(COLUMNS);
  await owner.query("set session_replication_role = replica");
  for (const [table, columns] of Map.groupBy(rows, (row) => row.table)) {
    const names = columns.map(({ column }) => column).join(", ");
    const values = columns.map((column) => (column.isUnique ? newValue(column) : column.column)).join(", ");
    const copying = owner.query(
      `insert into ${table} (${names}) overriding system value
       select ${values} from (select * from ${table} limit 1) one, generate_series(1, ${count}) n
       on conflict do nothing`,
    );
    await copying.catch(({ code, message }: pg.DatabaseError) => {
      if (code !== CHECK_VIOLATION) throw new Error(message);
    });
  }
  await owner.query("reset session_replication_role");
}

function newValue({ column, type }: Column): string {
  if (type === "uuid") return "gen_random_uuid()";
  if (type === "text") return `${column} || '-' || n`;
  if (type === "int4" || type === "int8") return `${column} + n`;
  return column;
}

const COLUMNS = `
  select quote_ident(relname) as "table", quote_ident(attname) as "column", typname as type,
         attname <> 'tenant_id'
           and exists (select from pg_index where indrelid = attrelid and indisunique and attnum = any(indkey)) as "isUnique"
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    join pg_type on pg_type.oid = atttypid
   where relnamespace = 'public'::regnamespace and not relispartition and relkind in ('r', 'p')
     and relname not like 'kysely%' and attnum > 0 and not attisdropped and attgenerated = ''
   order by relname, attnum`;
