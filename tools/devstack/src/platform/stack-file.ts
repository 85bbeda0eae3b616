// Writes <dataDir>/stack.json, which tells the demo, the operator's commands and the tests where everything is.
import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ServiceName } from "../settings/stack-settings.ts";
import type { Demo } from "./seed-demo.ts";

/** Pids are null of what was not started here, or is just being started again. */
export interface Stack {
  /** The launcher's: SIGINT or SIGTERM to it, or to its process group, stops all of it cleanly. */
  pid: number;
  gatewayUrl: string;
  amqpUrl: string;
  /** With the credentials in it; null when it was not given beside AMQP_URL. */
  managementUrl: string | null;
  databases: Record<ServiceName, string>;
  processes: Record<ServiceName, { pid: number | null; url: string }[]>;
  infrastructure: { postgres: { pid: number | null }; rabbitmq: { pid: number | null } };
  demo: Demo;
}

/** Replaces the file as a whole: a reader never sees half of it. */
export function writeStackFile(dataDir: string, stack: Stack): void {
  const file = stackFile(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function removeStackFile(dataDir: string): void {
  rmSync(stackFile(dataDir), { force: true });
}

function stackFile(dataDir: string): string {
  return path.join(dataDir, "stack.json");
}
