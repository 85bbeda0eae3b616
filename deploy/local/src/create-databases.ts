// Gives each service a database of its own on the stack's Postgres, owned by a role that is no superuser.
import pg from "pg";
import { SERVICES, type ServiceName } from "./stack-settings.ts";

const OWNER = "tradepost";

/**
 * Creates what is missing of the role and the databases. Resolves to the owner's address of each database.
 * `superuserUrl` names the database `postgres`; `password` holds no character that SQL or a URL would escape.
 */
export async function createDatabases(
  superuserUrl: string,
  password: string,
): Promise<Record<ServiceName, string>> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await createOwner(client, password);
    const { rows } = await client.query<{ datname: string }>("select datname from pg_database");
    for (const name of SERVICES.filter((service) => !rows.some((row) => row.datname === service))) {
      await client.query(`create database ${name} owner ${OWNER}`);
    }
  } finally {
    await client.end();
  }
  const address = new URL(superuserUrl);
  address.username = OWNER;
  address.password = password;
  return Object.fromEntries(SERVICES.map((name) => [name, new URL(`/${name}`, address).href])) as Record<
    ServiceName,
    string
  >;
}

/** The migrations of a service may make the roles it works under, and grant them to this one. */
async function createOwner(client: pg.Client, password: string): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [OWNER]);
  if (rowCount === 0) await client.query(`create role ${OWNER}`);
  await client.query(`alter role ${OWNER} login createrole password '${password}'`);
  const { rows } = await client.query("select current_setting('server_version_num')::int >= 160000 as is_16");
  if (rows[0]?.is_16) await client.query(`alter role ${OWNER} set createrole_self_grant = 'set, inherit'`);
}
