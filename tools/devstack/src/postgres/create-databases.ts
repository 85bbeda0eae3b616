// Creates each service's database on the private Postgres, with its owner and with the role that the service logs in as.
import pg from "pg";
import type { PlatformSecrets } from "../settings/platform-secrets.ts";
import { SERVICES, type ServiceName } from "../settings/platform-settings.ts";
import { createServiceRoles } from "./service-roles.ts";

export interface DatabaseAddresses {
  /** The addresses with the role that owns the database, for migrations and operators. */
  owner: Record<ServiceName, string>;
  /** The addresses with the role that the service's process logs in as. */
  login: Record<ServiceName, string>;
}

const OWNER = "tradepost";

/**
 * Creates missing roles and databases, and updates those of an earlier version. `superuserUrl` names the database `postgres`. No
 * password may contain a character that a URL escapes.
 */
export async function createDatabases(
  superuserUrl: string,
  secrets: Pick<PlatformSecrets, "databasePassword" | "loginPasswords">,
): Promise<DatabaseAddresses> {
  await createMissingDatabases(superuserUrl);
  const owner = { name: OWNER, password: secrets.databasePassword };
  const address = (service: ServiceName) => new URL(`/${service}`, superuserUrl);
  const logins: [ServiceName, string][] = [];
  // One after the other, because each creates or updates the owner.
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

async function createMissingDatabases(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>("select datname from pg_database");
    for (const name of SERVICES.filter((service) => !rows.some((row) => row.datname === service))) {
      await client.query(`create database ${name}`);
    }
    // On a private server only the superuser needs these databases.
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
