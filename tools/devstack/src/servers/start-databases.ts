// Provides each service's database, on a private server or on the one that a setting names, and migrates it.
import {
  createDatabases,
  createRolesAsOwner,
  type DatabaseAddresses,
  migrateDatabases,
} from "../postgres/create-databases.ts";
import type { Supervisor } from "../process/supervisor.ts";
import type { PlatformSecrets } from "../settings/platform-secrets.ts";
import { type PlatformSettings, SERVICES, type ServiceName } from "../settings/platform-settings.ts";
import { providePostgres } from "./provide-servers.ts";

export interface Databases extends DatabaseAddresses {
  /** Undefined if all databases are external. */
  superuserUrl: string | undefined;
}

export async function startDatabases(
  settings: PlatformSettings,
  secrets: PlatformSecrets,
  supervisor: Supervisor,
  options: { postgresSettings: readonly string[]; log: (line: string) => void },
): Promise<Databases> {
  const external = await externalDatabases(settings, secrets);
  const databases = SERVICES.every((name) => name in external.owner)
    ? { ...(external as DatabaseAddresses), superuserUrl: undefined }
    : merge(await privateDatabases(settings, secrets, supervisor, options), external);
  await migrateDatabases(databases.owner);
  return databases;
}

async function privateDatabases(
  { dataDir }: PlatformSettings,
  secrets: PlatformSecrets,
  supervisor: Supervisor,
  options: { postgresSettings: readonly string[]; log: (line: string) => void },
): Promise<Databases> {
  const { url: superuserUrl, processes } = await providePostgres({ dataDir, durable: true, ...options });
  await supervisor.start(processes);
  return { ...(await createDatabases(superuserUrl, secrets)), superuserUrl };
}

type SomeDatabases = { [Role in keyof DatabaseAddresses]: Partial<Record<ServiceName, string>> };

async function externalDatabases(
  { databaseUrls }: PlatformSettings,
  { loginPasswords }: PlatformSecrets,
): Promise<SomeDatabases> {
  const login: Partial<Record<ServiceName, string>> = {};
  // One after the other, because the databases may be on one server and share its roles.
  for (const name of SERVICES) {
    const url = databaseUrls[name];
    if (url !== undefined) login[name] = await createRolesAsOwner(name, url, loginPasswords[name]);
  }
  return { owner: databaseUrls, login };
}

function merge(all: Databases, external: SomeDatabases): Databases {
  const { owner, login } = external;
  return { ...all, owner: { ...all.owner, ...owner }, login: { ...all.login, ...login } };
}
