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

export type Databases = Awaited<ReturnType<typeof startDatabases>>;

export async function startDatabases(
  settings: PlatformSettings,
  secrets: PlatformSecrets,
  supervisor: Supervisor,
  log: (line: string) => void,
) {
  const { owner, login } = await externalDatabases(settings, secrets);
  const isPrivateNeeded = SERVICES.some((name) => !(name in owner));
  const own = isPrivateNeeded ? await privateDatabases(settings, secrets, supervisor, log) : undefined;
  // Each service is in one of the two.
  const databases = {
    owner: { ...own?.owner, ...owner } as DatabaseAddresses["owner"],
    login: { ...own?.login, ...login } as DatabaseAddresses["login"],
    /** Undefined if all databases are external. */
    superuserUrl: own?.superuserUrl,
  };
  await migrateDatabases(databases.owner);
  return databases;
}

async function privateDatabases(
  { dataDir }: PlatformSettings,
  secrets: PlatformSecrets,
  supervisor: Supervisor,
  log: (line: string) => void,
) {
  const { url: superuserUrl, processes } = await providePostgres({ dataDir, durable: true, log });
  await supervisor.start(processes);
  return { ...(await createDatabases(superuserUrl, secrets)), superuserUrl };
}

async function externalDatabases({ databaseUrls }: PlatformSettings, { loginPasswords }: PlatformSecrets) {
  const login: Partial<Record<ServiceName, string>> = {};
  // One after the other, because the databases may be on one server and share its roles.
  for (const name of SERVICES) {
    const url = databaseUrls[name];
    if (url !== undefined) login[name] = await createRolesAsOwner(name, url, loginPasswords[name]);
  }
  return { owner: databaseUrls, login };
}
