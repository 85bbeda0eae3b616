// Prepares a private RabbitMQ node below a data directory, beside any other on the machine: it has a name,
// ports, a cookie and an epmd (Erlang's register of nodes) of its own, all on 127.0.0.1 only.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { endLeftover } from "../process/leftovers.ts";
import { claimPorts, isListening } from "../process/ports.ts";
import { launch, type Running, type Startable, waitUntilReady } from "../process/running.ts";
import type { ServiceName } from "../settings/stack-settings.ts";
import { brokerDefinitions, serviceAmqpUrls } from "./broker-users.ts";
import { findRabbitmq, type RabbitmqBinaries } from "./rabbitmq-binaries.ts";

export interface RabbitmqOptions {
  /** Belongs to this node alone; made when missing. */
  dataDir: string;
  /** False ends the node without farewell, because nothing in it is worth saving: tests only. */
  durable: boolean;
  /** The passwords of the services' users, where they are to have some. */
  servicePasswords?: Readonly<Record<ServiceName, string>>;
  say: (line: string) => void;
}

export interface PreparedRabbitmq {
  amqpUrl: string;
  /** With the credentials in it. */
  managementUrl: string;
  /** As the services' own users. */
  serviceAmqpUrls?: Record<ServiceName, string>;
  /** In the order in which they must be started. */
  processes: Startable[];
  /** Runs the operator's command against the node: `control("set_disk_free_limit", "50MB")`. */
  control(...args: string[]): Promise<void>;
  /** Where the node keeps its data; without it, it starts as a new one. */
  storeDir: string;
}

/**
 * Writes the node's configuration and ends a node that outlived a killed launcher. Resolves to the addresses
 * and to what must be started for them to answer, or to undefined where there is no RabbitMQ to be had.
 */
export async function prepareRabbitmq(options: RabbitmqOptions): Promise<PreparedRabbitmq | undefined> {
  const binaries = await findRabbitmq(options.say);
  if (binaries === undefined) return undefined;
  const { dataDir } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const name of ["home", "log", "mnesia", "conf.d"])
    mkdirSync(path.join(dataDir, name), { recursive: true });
  for (const name of ["rabbitmq", "epmd"])
    await endLeftover(path.join(dataDir, `${name}.pid`), "SIGKILL", 5_000);
  const node = await describeNode(dataDir);
  writeConfiguration(options, node);
  const at = (port: number) => `${node.user}:${node.password}@127.0.0.1:${port}`;
  const amqpUrl = `amqp://${at(node.ports.amqp)}`;
  const { servicePasswords } = options;
  return {
    amqpUrl,
    ...(servicePasswords && { serviceAmqpUrls: serviceAmqpUrls(amqpUrl, servicePasswords) }),
    managementUrl: `http://${at(node.ports.management)}`,
    storeDir: path.join(dataDir, "mnesia"),
    control: async (...args) => {
      const env = { ...binaries.environment, ...nodeEnvironment(node, dataDir) };
      await promisify(execFile)(binaries.control, ["-n", node.name, ...args], { env });
    },
    processes: [
      { name: "epmd", start: (signal) => startEpmd(binaries, node, dataDir, signal) },
      { name: "rabbitmq", start: (signal) => startNode(binaries, node, options, signal) },
    ],
  };
}

interface Node {
  /** Names the directory of the node's data, so it outlives any change of ports. */
  name: string;
  user: string;
  password: string;
  ports: Record<"amqp" | "management" | "prometheus" | "distribution" | "epmd", number>;
}

async function describeNode(dataDir: string): Promise<Node> {
  const file = path.join(dataDir, "node.json");
  if (!existsSync(file)) {
    const name = `tradepost-${randomBytes(4).toString("hex")}@localhost`;
    const fresh = { name, user: "tradepost", password: randomBytes(18).toString("base64url") };
    writeFileSync(file, JSON.stringify(fresh), { mode: 0o600 });
  }
  const kept = JSON.parse(readFileSync(file, "utf8")) as Omit<Node, "ports">;
  const names = ["amqp", "management", "prometheus", "distribution", "epmd"] as const;
  return { ...kept, ports: await claimPorts(path.join(dataDir, "ports.json"), [...names]) };
}

function writeConfiguration({ dataDir, servicePasswords }: RabbitmqOptions, node: Node): void {
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${node.ports.amqp}`,
    "management.tcp.ip = 127.0.0.1",
    `management.tcp.port = ${node.ports.management}`,
    "prometheus.tcp.ip = 127.0.0.1",
    `prometheus.tcp.port = ${node.ports.prometheus}`,
    "loopback_users = none",
    `default_user = ${node.user}`,
    `default_pass = ${node.password}`,
    "log.console = false",
    "log.file.level = warning",
    // The default of 512 MB for the log of quorum queues would be held in memory too.
    "raft.wal_max_size_bytes = 64000000",
  ];
  if (servicePasswords !== undefined) {
    lines.push(`load_definitions = ${writeDefinitions(dataDir, brokerDefinitions(node, servicePasswords))}`);
  }
  writeFileSync(path.join(dataDir, "rabbitmq.conf"), `${lines.join("\n")}\n`, { mode: 0o600 });
  writeFileSync(path.join(dataDir, "enabled_plugins"), "[rabbitmq_management,rabbitmq_prometheus].\n");
}

/** Out: the folder, which the node takes in at every boot. */
function writeDefinitions(dataDir: string, definitions: Record<string, string>): string {
  const folder = path.join(dataDir, "definitions");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, text] of Object.entries(definitions)) writeFileSync(path.join(folder, name), text);
  return folder;
}

/** Ours is started before the node, which would otherwise start one that stays behind when the node stops. */
async function startEpmd(
  binaries: RabbitmqBinaries,
  node: Node,
  dataDir: string,
  signal?: AbortSignal,
): Promise<Running> {
  const logFile = path.join(dataDir, "epmd.log");
  const running = launch({
    name: "epmd",
    command: binaries.epmd,
    args: ["-address", "127.0.0.1", "-port", String(node.ports.epmd)],
    env: binaries.environment,
    cwd: dataDir,
    logFile,
    pidFile: path.join(dataDir, "epmd.pid"),
    stopSignal: "SIGKILL",
    stopWithinMs: 5_000,
  });
  const what = { name: "epmd", logFile, withinMs: 10_000 };
  await waitUntilReady(running, what, () => isListening(node.ports.epmd), signal);
  return running;
}

async function startNode(
  binaries: RabbitmqBinaries,
  node: Node,
  { dataDir, durable }: RabbitmqOptions,
  signal?: AbortSignal,
): Promise<Running> {
  const logFile = path.join(dataDir, "rabbitmq.log");
  const running = launch({
    name: "RabbitMQ",
    command: binaries.server,
    args: [],
    env: { ...binaries.environment, ...nodeEnvironment(node, dataDir) },
    cwd: dataDir,
    logFile,
    pidFile: path.join(dataDir, "rabbitmq.pid"),
    // Its stores are closed within moments; then its management plugin waits 5 s for itself. Not waiting for
    // that loses nothing: what a quorum queue confirmed is on disk.
    stopSignal: durable ? "SIGTERM" : "SIGKILL",
    stopWithinMs: 3_000,
  });
  const accepts = async () =>
    (await isListening(node.ports.amqp)) && (await isListening(node.ports.management));
  await waitUntilReady(running, { name: "RabbitMQ", logFile, withinMs: 90_000 }, accepts, signal);
  return running;
}

/** Names every place that would otherwise default to one of the machine's own node, in /etc or /var. */
function nodeEnvironment(node: Node, dataDir: string): Record<string, string> {
  const at = (name: string) => path.join(dataDir, name);
  return {
    LANG: "C.UTF-8",
    HOME: at("home"),
    // Lets the start script become the node instead of watching it: the pid is then the node's own.
    RUNNING_UNDER_SYSTEMD: "true",
    RABBITMQ_NODENAME: node.name,
    RABBITMQ_NODE_PORT: String(node.ports.amqp),
    RABBITMQ_DIST_PORT: String(node.ports.distribution),
    ERL_EPMD_PORT: String(node.ports.epmd),
    ERL_EPMD_ADDRESS: "127.0.0.1",
    RABBITMQ_MNESIA_BASE: at("mnesia"),
    RABBITMQ_LOG_BASE: at("log"),
    RABBITMQ_CONFIG_FILE: at("rabbitmq.conf"),
    RABBITMQ_CONFIG_FILES: at("conf.d"),
    RABBITMQ_ADVANCED_CONFIG_FILE: at("advanced.config"),
    RABBITMQ_CONF_ENV_FILE: "/dev/null",
    RABBITMQ_ENABLED_PLUGINS_FILE: at("enabled_plugins"),
    RABBITMQ_FEATURE_FLAGS_FILE: at("feature_flags"),
    // No spinning while idle: a laptop's cores are shared. The distribution port stays on this machine.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      "+sbwt none +sbwtdcpu none +sbwtdio none -kernel inet_dist_use_interface {127,0,0,1}",
  };
}
