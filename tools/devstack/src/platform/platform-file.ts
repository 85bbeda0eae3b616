// Writes <dataDir>/stack.json, which describes the platform for the demo, the operators' commands and the tests (interface §9).
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { endOrphan, livingPid, writePidFile } from "../process/orphans.ts";
import { SERVICES, type ServiceName } from "../settings/platform-settings.ts";
import type { Demo } from "./seed-demo.ts";

/** A pid is null during a restart, and for a server that was not started here. */
export interface PlatformFile {
  pid: number;
  gatewayUrl: string;
  amqpUrl: string;
  /** Null if AMQP_URL was set without RABBITMQ_MANAGEMENT_URL. */
  managementUrl: string | null;
  databases: Record<ServiceName, string>;
  processes: Record<ServiceName, { pid: number | null; url: string; metricsUrl: string }[]>;
  infrastructure: { postgres: { pid: number | null }; rabbitmq: { pid: number | null } };
  /** Only with `--observability`. */
  prometheus?: { pid: number | null; url: string };
  demo: Demo;
}

export function writePlatformFile(dataDir: string, content: PlatformFile): void {
  const file = platformFile(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function removePlatformFile(dataDir: string): void {
  rmSync(platformFile(dataDir), { force: true });
}

function platformFile(dataDir: string): string {
  return path.join(dataDir, "stack.json");
}

/**
 * Creates the directory if needed, and ends services that outlived a launcher that was killed. Resolves to a function that unlocks
 * it. Rejects with a sentence when another launcher has locked it.
 */
export async function lockDataDirectory(dataDir: string): Promise<() => void> {
  mkdirSync(path.join(dataDir, "run"), { recursive: true });
  mkdirSync(path.join(dataDir, "logs"), { recursive: true, mode: 0o700 });
  // Postgres may run under another account, which needs execute permission here. Secret files have their own modes.
  chmodSync(dataDir, 0o711);
  const pidFile = path.join(dataDir, "run/launcher.pid");
  if (livingPid(pidFile) === undefined) rmSync(pidFile, { force: true });
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
  return () => rmSync(pidFile, { force: true });
}
