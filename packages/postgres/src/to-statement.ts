// Compiles Kysely's `sql` for a pool or a client.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from "kysely";
import type { Statement } from "./session.ts";

const compiling = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Returns the text and the values of a statement, to run it where there is no Kysely: on a pool, or a client in a transaction. */
export function toStatement(statement: RawBuilder<unknown>): Statement & { values: unknown[] } {
  const { sql, parameters } = statement.compile(compiling);
  return { text: sql, values: [...parameters] };
}
