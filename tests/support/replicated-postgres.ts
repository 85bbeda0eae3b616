// A primary of Postgres with a synchronous standby, and the address of the primary, which a failover moves.
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { until } from "@tradepost/testing";
import { execute, openPostgresServers } from "./postgres-servers.ts";

export type ReplicatedPostgres = Awaited<ReturnType<typeof startReplicatedPostgres>>;

export async function startReplicatedPostgres() {
  const servers = await openPostgresServers();
  const primary = servers.directory("primary");
  const standby = servers.directory("standby");
  await servers.initialize(primary);
  servers.configure(primary, "synchronous_standby_names = 'standby'\n");
  const primaryUrl = await servers.start(primary);
  await execute(primaryUrl, "set synchronous_commit = local; create role replicator login replication");
  const options = ["--checkpoint=fast", "--wal-method=stream", "--no-sync", "--write-recovery-conf"];
  await servers.program("pg_basebackup", "-d", primaryUrl, "-D", standby, ...options);
  const { port } = new URL(primaryUrl);
  servers.configure(
    standby,
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=replicator application_name=standby'\n`,
  );
  const standbyUrl = await servers.start(standby);
  await until("the standby to be synchronous", async () => {
    const [row] = await execute(primaryUrl, "select sync_state from pg_stat_replication");
    return row?.sync_state === "sync";
  });
  const address = await startAddress(primaryUrl);

  return {
    /** As superuser, at the address that leads to the primary. */
    url: address.url,
    /** Kills the primary, and promotes the standby. */
    failOver: async () => {
      await servers.stop(primary, "immediate");
      await execute(standbyUrl, "select pg_promote()");
      address.pointTo(standbyUrl);
    },
    /**
     * Promotes the standby while the primary goes on without accepting changes, as some failover tools leave it. Connections to
     * it stay open.
     */
    demote: async () => {
      // Otherwise a commit would wait for the standby, whose primary it no longer is.
      await execute(primaryUrl, "alter system set synchronous_standby_names = ''");
      await execute(primaryUrl, "alter system set default_transaction_read_only = on");
      await execute(primaryUrl, "select pg_reload_conf()");
      await execute(standbyUrl, "select pg_promote()");
      address.pointTo(standbyUrl);
    },
    stop: async () => {
      await servers.stopAll();
      address.stop();
    },
  };
}

/** An address whose new connections go to a server that can be changed; those that are open stay where they are. */
async function startAddress(serverUrl: string) {
  let target = Number(new URL(serverUrl).port);
  const sockets = new Set<net.Socket>();
  const listener = net.createServer((client) => {
    const server = net.connect(target, "127.0.0.1");
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(server).pipe(client);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const url = new URL(serverUrl);
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    pointTo: (nextUrl: string) => {
      target = Number(new URL(nextUrl).port);
    },
    stop: () => {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
