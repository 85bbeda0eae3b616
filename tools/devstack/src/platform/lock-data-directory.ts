// Allows one launcher at a time for a data directory, because two would start two servers on the same files.
import { chmodSync, mkdirSync } from "node:fs";
import path from "node:path";
import { endOrphan, livingPid, removePidFile, writePidFile } from "../process/orphans.ts";
import { SERVICES } from "../settings/platform-settings.ts";

/**
 * Creates the directory if it does not exist, and ends services that outlived a launcher that was killed. Resolves to a
 * function that unlocks the directory. Rejects with a sentence when another launcher has locked it.
 */
export async function lockDataDirectory(dataDir: string): Promise<() => void> {
  mkdirSync(path.join(dataDir, "run"), { recursive: true });
  mkdirSync(path.join(dataDir, "logs"), { recursive: true, mode: 0o700 });
  // Postgres may run under another account, which needs execute permission here. Secret files have their own modes.
  chmodSync(dataDir, 0o711);
  const pidFile = path.join(dataDir, "run/launcher.pid");
  if (livingPid(pidFile) === undefined) removePidFile(pidFile);
  try {
    writePidFile(pidFile, process.pid, "wx");
  } catch {
    const pid = livingPid(pidFile);
    throw new Error(
      `Tradepost already runs on ${dataDir}, as process ${pid}: stop it with \`kill ${pid}\`, ` +
        "or set TRADEPOST_DATA_DIR and PORT to start another.",
    );
  }
  for (const name of SERVICES) await endOrphan(path.join(dataDir, `run/${name}.pid`), "SIGTERM", 5_000);
  return () => removePidFile(pidFile);
}
