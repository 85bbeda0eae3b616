// Makes the roles of one service in its database, as deploy/postgres/create-roles.sh does where there is psql.
import { readFile } from "node:fs/promises";
import pg from "pg";
import type { ServiceName } from "../settings/stack-settings.ts";

const CREATE_ROLES = new URL("../../../../deploy/postgres/create-roles.sql", import.meta.url);
const INSUFFICIENT_PRIVILEGE = "42501";

interface Role {
  readonly name: string;
  readonly password: string;
}

/**
 * In: an address of the database whose role may make roles, and who is to own the database and who to log in. Out: the
 * address that the service logs in at. Without a password the owner is there already.
 */
export async function createServiceRoles(
  url: string,
  of: { service: ServiceName; owner: { name: string; password?: string }; login: Role },
): Promise<string> {
  const settings = {
    service: of.service,
    owner: of.owner.name,
    owner_password: of.owner.password ?? "",
    login: of.login.name,
    login_password: of.login.password,
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
  address.username = encodeURIComponent(of.login.name);
  address.password = encodeURIComponent(of.login.password);
  return address.href;
}

/**
 * The same on somebody's own server, at the owner's address. An owner with CREATEROLE makes the roles at the first start,
 * and needs it no longer then. Rejects with a sentence for the person at the terminal.
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
      `The role ${owner} of ${setting} may not make the roles that the service works under (${message}): ` +
        `give it CREATEROLE for the first start, as in \`alter role ${owner} createrole\`.`,
      { cause: error },
    );
  }
}
