// Creates each service's database with its owner and the role that the service logs in as, and migrates it.

import { readFile } from "node:fs/promises";
import { migrate } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import type { PlatformSecrets } from "../settings/platform-secrets.ts";
import { forEachService, SERVICES, type ServiceName } from "../settings/platform-settings.ts";
import { withConnection } from "./execute.ts";

export interface DatabaseAddresses {
  owner: Record<ServiceName, string>;
  login: Record<ServiceName, string>;
}

const OWNER = "tradepost";

/**
 * Also updates the roles and databases of an earlier version. `superuserUrl` names the database `postgres`. No password may contain
 * a character that a URL escapes.
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
  const asOwner = (service: ServiceName) =>
    Object.assign(address(service), { username: owner.name, password: owner.password }).href;
  return { owner: forEachService(asOwner), login: Object.fromEntries(logins) as DatabaseAddresses["login"] };
}

async function createMissingDatabases(superuserUrl: string): Promise<void> {
  await withConnection(superuserUrl, async (execute) => {
    const rows = await execute("select datname from pg_database");
    for (const name of SERVICES.filter((service) => !rows.some((row) => row.datname === service)))
      await execute(`create database ${name}`);
    // On a private server only the superuser needs these databases.
    for (const name of ["postgres", "template1"]) await execute(`revoke all on database ${name} from public`);
  });
}

const CREATE_ROLES = new URL("../../../../deploy/postgres/create-roles.sql", import.meta.url);
const INSUFFICIENT_PRIVILEGE = "42501";

interface Role {
  readonly name: string;
  readonly password: string;
}

/**
 * Resolves to the address at which the service logs in. `url` names the database and a role that may create roles. Without a
 * password the owner must exist.
 */
export async function createServiceRoles(
  url: string,
  roles: { service: ServiceName; owner: { name: string; password?: string }; login: Role },
): Promise<string> {
  const settings = {
    service: roles.service,
    owner: roles.owner.name,
    owner_password: roles.owner.password ?? "",
    login: roles.login.name,
    login_password: roles.login.password,
  };
  const createRoles = await readFile(CREATE_ROLES, "utf8");
  await withConnection(url, async (execute) => {
    for (const [name, value] of Object.entries(settings))
      await execute("select set_config($1, $2, false)", [`tradepost.${name}`, value]);
    await execute(createRoles);
  });
  const address = new URL(url);
  address.username = encodeURIComponent(roles.login.name);
  address.password = encodeURIComponent(roles.login.password);
  return address.href;
}

/**
 * On an external server, as the database's owner, who needs CREATEROLE only for the first start. Rejects with a sentence for the
 * person at the terminal.
 */
export async function createRolesAsOwner(
  service: ServiceName,
  url: string,
  password: string,
): Promise<string> {
  const setting = `${service.toUpperCase()}_DATABASE_URL`;
  const owner = decodeURIComponent(new URL(url).username);
  const login = { name: `${owner}_${service}_login`, password };
  try {
    return await createServiceRoles(url, { service, owner: { name: owner }, login });
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (code !== INSUFFICIENT_PRIVILEGE) throw new Error(`${setting}: ${message}`, { cause: error });
    throw new Error(
      `The role ${owner} of ${setting} may not create the roles that the service needs (${message}): ` +
        `give it CREATEROLE for the first start, as in \`alter role ${owner} createrole\`.`,
      { cause: error },
    );
  }
}

const SERVICES_FOLDER = new URL("../../../../services/", import.meta.url);

/** In parallel, as their owners. Rejects with the first error, which names the service. */
export async function migrateDatabases(owners: Readonly<Record<string, string>>): Promise<void> {
  const logger = createLogger("migrate", "silent");
  await Promise.all(
    Object.entries(owners).map(async ([service, url]) => {
      try {
        await migrate({ url, folder: new URL(`${service}/migrations/`, SERVICES_FOLDER), logger });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`The database of ${service} could not be migrated: ${reason}`, { cause: error });
      }
    }),
  );
}
