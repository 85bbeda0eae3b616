// A server in a container. Docker's client is its process: it passes signals on, and ends with the server.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { claimPorts } from "../process/ports.ts";
import { type Program, serverProgram } from "../process/program.ts";
import { savedPassword } from "../settings/platform-secrets.ts";

const run = promisify(execFile);
// Docker fetches the image first.
const START_TIMEOUT_MS = 600_000;

interface ContainerOptions<Addresses> {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The variable with the password. It is set when the data is created. */
  readonly password: string;
  readonly ports: readonly number[];
  /** The folder in the container that is kept in `dataDir`. */
  readonly kept: string | undefined;
  readonly addresses: (password: string, ports: readonly number[]) => Addresses;
  readonly isReady: (addresses: Addresses) => Promise<boolean>;
}

export async function hasDocker(): Promise<boolean> {
  return await run("docker", ["version"]).then(
    () => true,
    () => false,
  );
}

export async function prepareContainer<Addresses>(
  dataDir: string,
  options: ContainerOptions<Addresses>,
): Promise<Addresses & { processes: Program[] }> {
  const { name, image, args = [], kept } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const container = `tradepost-${name}-${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`;
  // A killed launcher may have left its container.
  await run("docker", ["rm", "--force", container]).catch(() => undefined);
  const password = savedPassword(dataDir);
  const claimed = await claimPorts(path.join(dataDir, "ports.json"), options.ports.map(String));
  const ports = Object.values(claimed);
  const addresses = options.addresses(password, ports);
  // Every user of the machine can read a command line.
  const variables = { ...options.variables, [options.password]: password };
  const server = {
    command: "docker",
    args: [
      ...["run", "--rm", "--name", container, "--hostname", "tradepost"],
      ...options.ports.flatMap((port) => ["--publish", `127.0.0.1:${claimed[port]}:${port}`]),
      ...(kept === undefined ? [] : ["--volume", `${path.join(dataDir, "data")}:${kept}`]),
      ...[...Object.keys(variables).flatMap((variable) => ["--env", variable]), image, ...args],
    ],
    env: { ...(process.env as Record<string, string>), ...variables },
    ...{ stopSignal: "SIGTERM" as const, stopTimeoutMs: 30_000 },
  };
  const ready = { timeoutMs: START_TIMEOUT_MS, isReady: () => options.isReady(addresses) };
  return { ...addresses, processes: [serverProgram(dataDir, name, server, ready)] };
}
