// Creates the roles of one service in its database, with the same SQL as deploy/postgres/create-roles.sh.
import { readFile } from "node:fs/promises";
import pg from "pg";
import type { ServiceName } from "../settings/platform-settings.ts";

const CREATE_ROLES = new URL("../../../../deploy/postgres/create-roles.sql", import.meta.url);
const INSUFFICIENT_PRIVILEGE = "42501";

interface Role {
  readonly name: string;
  readonly password: string;
}

/**
 * Creates the owner and the login of a service's database. Resolves to the address at which the service logs in. `url` names the
 * database and a role that may create roles. Without a password the owner must exist.
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
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const [name, value] of Object.entries(settings)) {
      await client.query("select set_config($1, $2, false)", [`tradepost.${name}`, value]);
    }
    await client.query(await readFile(CREATE_ROLES, "utf8"));
  } finally {
    await client.end();
  }
  const address = new URL(url);
  address.username = encodeURIComponent(roles.login.name);
  address.password = encodeURIComponent(roles.login.password);
  return address.href;
}

/**
 * Creates the roles on an external server, as the database's owner, who needs CREATEROLE only for the first start. Rejects with a
 * sentence for the person at the terminal.
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
