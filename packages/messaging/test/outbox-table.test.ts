// Each service with an outbox creates its tables by the SQL files of this package, and changes them in no other way.
import { readdir, readFile } from "node:fs/promises";
import { SQL_FOLDER } from "./support/outbox-table.ts";

const SERVICES = new URL("../../../services/", import.meta.url);

async function readServiceMigrations(service: string): Promise<string> {
  const folder = new URL(`${service}/migrations/`, SERVICES);
  const files = (await readdir(folder)).sort();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")));
  return texts.join("\n");
}

describe.each(["gateway", "orders", "content", "webhooks"])("the migrations of %s", (service) => {
  test("include every SQL file of this package, in order", async () => {
    const statements = await readServiceMigrations(service);
    const included = [...statements.matchAll(/^-- include: @tradepost\/messaging\/sql\/(\S+)$/gm)];
    expect(included.map(([, file]) => file)).toEqual((await readdir(SQL_FOLDER)).sort());
  });

  test("change the outbox's tables in no other way, but for partial indexes of feeds", async () => {
    const statements = await readServiceMigrations(service);
    const ownTables =
      /\b(create|alter|drop) table (if (not )?exists )?(outbox|published_events|replay)\b(?!.* row level security)/;
    expect(statements).not.toMatch(ownTables);
    expect(statements).not.toMatch(
      /\bindex\b.* on (outbox|published_events|replay)\b(?! \(tenant_id, xid, id\)\s+where type )/,
    );
  });
});
