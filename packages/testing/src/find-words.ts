// Searches everything that a database stores for words, as whoever gets hold of a backup could.
import pg from "pg";

/**
 * Returns the tables that have a row with one of the words in any column, in upper or lower case, as text or as bytes. `url` is
 * the owner's. The words have letters and digits only, and at least 6 characters, so that no id contains one.
 */
export async function findWords(url: string, words: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name
         from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where relkind in ('r', 'p', 'm') and not relispartition and nspname not in ('pg_catalog', 'information_schema')`,
    );
    const patterns = words.flatMap((word) => [
      word,
      ...[word, word.toLowerCase()].map((text) => Buffer.from(text).toString("hex")),
    ]);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ pattern: string }>(
        `select pattern from ${name} as one, unnest($1::text[]) pattern
          where one::text ilike '%' || pattern || '%' limit 1`,
        [patterns],
      );
      found.push(...rows.map(({ pattern }) => `${name} has ${pattern}`));
    }
    return found.sort();
  } finally {
    await client.end();
  }
}
