// A Postgres primary with a synchronous standby, and an address that always leads to the current primary.
import net from "node:net";
import { repeat } from "@tradepost/runtime";
import { joinSockets, listenLocally, until } from "@tradepost/testing";
import { execute } from "./execute.ts";
import { openPostgresServers } from "./postgres-servers.ts";

export type ReplicatedPostgres = Awaited<ReturnType<typeof startReplicatedPostgres>>;

type PostgresServers = Awaited<ReturnType<typeof openPostgresServers>>;

const CANCEL_EVERY_MS = 20;
const CANCEL_WAITS = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";

/** Everything is below a temporary directory, which `stop` removes. */
export async function startReplicatedPostgres() {
  const servers = await openPostgresServers();
  let generation = 0;
  const directory = () => {
    generation += 1;
    return servers.directory(`server-${generation}`);
  };
  const first = directory();
  await servers.initialize(first);
  servers.configure(first, "");
  let primary = { data: first, url: await servers.start(first) };
  await execute(primary.url, "create role replicator login replication");
  let standby = await startStandby(servers, primary.url, directory());
  const address = await startAddress(primary.url);

  async function promote() {
    await execute(standby.url, "select pg_promote()");
    address.pointTo(standby.url);
    primary = standby;
  }

  return {
    url: address.url,
    /** Kills the primary, and promotes the standby. The new primary has no standby until `replaceStandby`. */
    failOver: async () => {
      await servers.stop(primary.data, "immediate");
      await promote();
    },
    /** Cuts off the standby: no commit succeeds unless its wait is cancelled. */
    isolate: () => servers.stop(standby.data, "immediate"),
    /** Cancels every wait for the standby, so that each commit succeeds on the primary only. Returns a function that ends this. */
    startCancelling: () => cancelWaits(() => primary.url),
    /** Kills the primary and starts it again, without its standby. */
    restartIsolated: async () => {
      await servers.stop(primary.data, "immediate");
      primary.url = await servers.start(primary.data);
      address.pointTo(primary.url);
    },
    /** Kills the isolated primary, and promotes the standby in the state in which it was cut off. */
    failOverIsolated: async () => {
      await servers.stop(primary.data, "immediate");
      servers.configure(standby.data, "");
      standby.url = await servers.start(standby.data);
      await promote();
    },
    replaceStandby: async () => {
      standby = await startStandby(servers, primary.url, directory());
    },
    stop: async () => {
      await servers.stopAll();
      await address.stop();
    },
  };
}

/** Copies the primary, and starts the copy. Resolves when each commit waits for it. */
async function startStandby(servers: PostgresServers, primaryUrl: string, data: string) {
  const options = ["--checkpoint=fast", "--wal-method=stream", "--no-sync", "--write-recovery-conf"];
  await servers.program("pg_basebackup", "-d", primaryUrl, "-D", data, ...options);
  const { port } = new URL(primaryUrl);
  const connection = `host=127.0.0.1 port=${port} user=replicator application_name=standby`;
  servers.configure(data, `primary_conninfo = '${connection}'\n`);
  const url = await servers.start(data);
  await execute(primaryUrl, "alter system set synchronous_standby_names = 'standby'");
  await execute(primaryUrl, "select pg_reload_conf()");
  await until("the standby to be synchronous", async () => {
    const [row] = await execute(primaryUrl, "select sync_state from pg_stat_replication");
    return row?.sync_state === "sync";
  });
  return { data, url };
}

/** An address whose new connections go to a server that can be changed. Open connections are not moved. */
async function startAddress(serverUrl: string) {
  let target = Number(new URL(serverUrl).port);
  const listener = net.createServer((client) => joinSockets(client, net.connect(target, "127.0.0.1")));
  const { port, stop } = await listenLocally(listener);
  const url = new URL(serverUrl);
  url.port = String(port);
  return {
    url: url.href,
    pointTo: (nextUrl: string) => {
      target = Number(new URL(nextUrl).port);
    },
    stop,
  };
}

function cancelWaits(primaryUrl: () => string) {
  const cancelled = repeat(async () => {
    await execute(primaryUrl(), CANCEL_WAITS).catch(() => undefined);
    return CANCEL_EVERY_MS;
  });
  return cancelled.stop;
}
