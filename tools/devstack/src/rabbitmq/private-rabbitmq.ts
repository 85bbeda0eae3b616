// A private RabbitMQ node below a data directory, with its own name, ports, cookie and epmd (Erlang's port mapper), all on
// 127.0.0.1.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { endOrphan } from "../process/orphans.ts";
import { claimPorts, isListening } from "../process/ports.ts";
import { type Program, serverProgram } from "../process/program.ts";
import type { ServiceName } from "../settings/platform-settings.ts";
import { brokerDefinitions, serviceAmqpUrls } from "./broker-users.ts";
import { findRabbitmq, type RabbitmqBinaries } from "./rabbitmq-binaries.ts";

/** For a command that waits for a node that does not respond. */
const COMMAND_TIMEOUT_MS = 180_000;

export interface RabbitmqOptions {
  dataDir: string;
  /** False kills the node on stop, for tests. */
  durable: boolean;
  /** Without them, the node has only the operator. */
  servicePasswords?: Readonly<Record<ServiceName, string>>;
  /** The port of a running epmd; by default the node has its own. */
  epmdPort?: number;
  log: (line: string) => void;
}

export type PreparedRabbitmq = NonNullable<Awaited<ReturnType<typeof prepareRabbitmq>>>;

/**
 * Writes the node's configuration, and ends a node that outlived a launcher that was killed. Undefined if RabbitMQ is neither
 * installed nor available as a package.
 */
export async function prepareRabbitmq(options: RabbitmqOptions) {
  const binaries = await findRabbitmq(options.log);
  if (binaries === undefined) return undefined;
  const { dataDir } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const name of ["home", "log", "mnesia", "conf.d"])
    mkdirSync(path.join(dataDir, name), { recursive: true });
  for (const name of ["rabbitmq", "epmd"])
    await endOrphan(path.join(dataDir, `${name}.pid`), "SIGKILL", 5_000);
  const node = await describeNode(options);
  writeConfiguration(options, node);
  const at = (port: number) => `${node.user}:${node.password}@127.0.0.1:${port}`;
  const amqpUrl = `amqp://${at(node.ports.amqp)}`;
  const { servicePasswords } = options;
  const run = (program: string) => {
    const file = path.join(path.dirname(binaries.server), program);
    const env = { ...binaries.environment, ...nodeEnvironment(node, dataDir) };
    return async (...args: string[]) => {
      await promisify(execFile)(file, ["-n", node.name, ...args], { env, timeout: COMMAND_TIMEOUT_MS });
    };
  };
  return {
    amqpUrl,
    ...(servicePasswords && { serviceAmqpUrls: serviceAmqpUrls(amqpUrl, servicePasswords) }),
    managementUrl: `http://${at(node.ports.management)}`,
    node: {
      /** If it is empty, the node starts as a new one. */
      storeDir: path.join(dataDir, "mnesia"),
      /** Runs rabbitmqctl: `control("set_disk_free_limit", "50MB")`. */
      control: run("rabbitmqctl"),
      queues: run("rabbitmq-queues"),
    },
    /** To be started in this order. */
    processes: [
      ...(options.epmdPort === undefined ? [epmd(binaries, node.ports.epmd, dataDir)] : []),
      nodeProgram(binaries, node, options),
    ],
  };
}

type Node = Awaited<ReturnType<typeof describeNode>>;

async function describeNode({ dataDir, epmdPort }: RabbitmqOptions) {
  const file = path.join(dataDir, "node.json");
  if (!existsSync(file)) {
    // The name does not depend on the ports, because the data directory is named after it.
    const name = `tradepost-${randomBytes(4).toString("hex")}@localhost`;
    const fresh = { name, user: "tradepost", password: randomBytes(18).toString("base64url") };
    writeFileSync(file, JSON.stringify(fresh), { mode: 0o600 });
  }
  const saved = JSON.parse(readFileSync(file, "utf8")) as Record<"name" | "user" | "password", string>;
  const names = ["amqp", "management", "prometheus", "distribution", "epmd"] as const;
  const ports = await claimPorts(path.join(dataDir, "ports.json"), [...names]);
  return { ...saved, ports: { ...ports, epmd: epmdPort ?? ports.epmd } };
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
    // 10 MiB, plus two older files.
    "log.file.rotation.size = 10485760",
    "log.file.rotation.count = 2",
    // The default is 512 MB, and quorum queues keep as much in memory.
    "raft.wal_max_size_bytes = 64000000",
  ];
  if (servicePasswords !== undefined) {
    lines.push(`load_definitions = ${writeDefinitions(dataDir, brokerDefinitions(node, servicePasswords))}`);
  }
  writeFileSync(path.join(dataDir, "rabbitmq.conf"), `${lines.join("\n")}\n`, { mode: 0o600 });
  writeFileSync(path.join(dataDir, "enabled_plugins"), "[rabbitmq_management,rabbitmq_prometheus].\n");
}

function writeDefinitions(dataDir: string, definitions: Record<string, string>): string {
  const folder = path.join(dataDir, "definitions");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, text] of Object.entries(definitions)) writeFileSync(path.join(folder, name), text);
  return folder;
}

/** The epmd is started before the nodes. Otherwise a node would start its own, which does not stop with the node. */
export function epmd(binaries: RabbitmqBinaries, port: number, dataDir: string): Program {
  const options = {
    ...{ command: binaries.epmd, args: ["-address", "127.0.0.1", "-port", String(port)] },
    ...{ env: binaries.environment, stopSignal: "SIGKILL" as const, stopTimeoutMs: 5_000 },
  };
  return serverProgram(dataDir, "epmd", options, { timeoutMs: 10_000, isReady: () => isListening(port) });
}

// A start takes up to 20 s of processor time, of which a busy machine has little.
const START_TIMEOUT_MS = 240_000;

function nodeProgram(binaries: RabbitmqBinaries, node: Node, { dataDir, durable }: RabbitmqOptions): Program {
  const options = {
    command: binaries.server,
    env: { ...binaries.environment, ...nodeEnvironment(node, dataDir) },
    // The node closes its stores at once, but then its management plugin waits another 5 s. Killing it after 3 s loses nothing,
    // because a message that a quorum queue confirmed is on disk.
    stopSignal: durable ? "SIGTERM" : "SIGKILL",
    stopTimeoutMs: 3_000,
  } as const;
  const isReady = async () =>
    (await isListening(node.ports.amqp)) && (await isListening(node.ports.management));
  return serverProgram(dataDir, "rabbitmq", options, {
    ...{ title: "RabbitMQ", timeoutMs: START_TIMEOUT_MS, isReady },
  });
}

/** Sets every directory that would default to one in /etc or /var, which an installed node uses. */
function nodeEnvironment(node: Node, dataDir: string): Record<string, string> {
  const at = (name: string) => path.join(dataDir, name);
  return {
    LANG: "C.UTF-8",
    HOME: at("home"),
    // Makes the start script replace itself with the node, so that the pid is the node's.
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
    // Turns off busy-waiting while idle, and keeps the distribution port on 127.0.0.1.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      "+sbwt none +sbwtdcpu none +sbwtdio none -kernel inet_dist_use_interface {127,0,0,1}",
  };
}
