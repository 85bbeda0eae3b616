// Writes <dataDir>/stack.json, which describes the platform for the demo, the operators' commands and the tests (interface §9).
import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ServiceName } from "../settings/platform-settings.ts";
import type { Demo } from "./seed-demo.ts";

/** A pid is null during a restart, and for a server that was not started here. */
export interface PlatformFile {
  /** The launcher. SIGINT or SIGTERM to it, or to its process group, stops everything. */
  pid: number;
  gatewayUrl: string;
  amqpUrl: string;
  /** The URL contains the credentials; null if AMQP_URL was set without RABBITMQ_MANAGEMENT_URL. */
  managementUrl: string | null;
  databases: Record<ServiceName, string>;
  processes: Record<ServiceName, { pid: number | null; url: string }[]>;
  infrastructure: { postgres: { pid: number | null }; rabbitmq: { pid: number | null } };
  /** Only with `--observability`. */
  prometheus?: { pid: number | null; url: string };
  demo: Demo;
}

/** Replaces the file atomically: a reader never sees half of it. */
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
