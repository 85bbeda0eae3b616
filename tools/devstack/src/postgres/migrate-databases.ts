import { migrate } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";

const SERVICES_FOLDER = new URL("../../../../services/", import.meta.url);

/** Migrates the services' databases in parallel, as their owners. Rejects with the first error, which names the service. */
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
