// One launcher for one data directory: two would start two servers on the same files.
import { chmodSync, mkdirSync } from "node:fs";
import path from "node:path";
import { endLeftover, forgetPid, livingPid, rememberPid } from "../process/leftovers.ts";
import { SERVICES } from "../settings/stack-settings.ts";

/**
 * Makes the directory when it is missing, and ends the services of an earlier launcher that was killed.
 * Returns what lets go of the directory. Throws with a sentence when another launcher holds it.
 */
export async function holdDataDirectory(dataDir: string): Promise<() => void> {
  mkdirSync(path.join(dataDir, "run"), { recursive: true });
  mkdirSync(path.join(dataDir, "logs"), { recursive: true, mode: 0o700 });
  // Postgres may run under another account and must pass through; what is secret in here is closed by itself.
  chmodSync(dataDir, 0o711);
  const pidFile = path.join(dataDir, "run/launcher.pid");
  if (livingPid(pidFile) === undefined) forgetPid(pidFile);
  try {
    rememberPid(pidFile, process.pid, "wx");
  } catch {
    const holder = livingPid(pidFile);
    throw new Error(
      `Tradepost already runs on ${dataDir}, as process ${holder}: stop it with \`kill ${holder}\`, ` +
        "or set TRADEPOST_DATA_DIR and PORT to start another.",
    );
  }
  for (const name of SERVICES) await endLeftover(path.join(dataDir, `run/${name}.pid`), "SIGTERM", 5_000);
  return () => forgetPid(pidFile);
}
