// Gives each service a database of its own on the stack's Postgres, with the roles that own it and that log in to it.
import pg from "pg";
import type { StackSecrets } from "../settings/stack-secrets.ts";
import { SERVICES, type ServiceName } from "../settings/stack-settings.ts";
import { createServiceRoles } from "./service-roles.ts";

export interface DatabaseAddresses {
  /** Of the role that owns the database: for migrations and for operators. */
  owner: Record<ServiceName, string>;
  /** Of the role that the service's process logs in as. */
  login: Record<ServiceName, string>;
}

const OWNER = "tradepost";

/**
 * Creates what is missing of the roles and the databases; an earlier version's are brought up to date. `superuserUrl`
 * names the database `postgres`; no password holds a character that a URL would escape.
 */
export async function createDatabases(
  superuserUrl: string,
  secrets: Pick<StackSecrets, "databasePassword" | "loginPasswords">,
): Promise<DatabaseAddresses> {
  await createMissing(superuserUrl);
  const owner = { name: OWNER, password: secrets.databasePassword };
  const address = (service: ServiceName) => new URL(`/${service}`, superuserUrl);
  const logins: [ServiceName, string][] = [];
  // One after the other: they all see to the owner.
  for (const service of SERVICES) {
    const login = { name: `${OWNER}_${service}_login`, password: secrets.loginPasswords[service] };
    logins.push([service, await createServiceRoles(address(service).href, { service, owner, login })]);
  }
  const owned = SERVICES.map((service): [ServiceName, string] => {
    const url = address(service);
    url.username = owner.name;
    url.password = owner.password;
    return [service, url.href];
  });
  return { owner: byService(owned), login: byService(logins) };
}

async function createMissing(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>("select datname from pg_database");
    for (const name of SERVICES.filter((service) => !rows.some((row) => row.datname === service))) {
      await client.query(`create database ${name}`);
    }
    // The server is this stack's own: no role but the superuser has anything to do in these.
    for (const name of ["postgres", "template1"]) {
      await client.query(`revoke all on database ${name} from public`);
    }
  } finally {
    await client.end();
  }
}

function byService(entries: [ServiceName, string][]): Record<ServiceName, string> {
  return Object.fromEntries(entries) as Record<ServiceName, string>;
}
