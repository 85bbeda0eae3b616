// A machine that loses its power or network closes no connection. Statements would wait for about 15 minutes, until the kernel
// gives up.
import type { Socket } from "node:net";
import type { Pool, PoolClient } from "pg";
import { connectionOf, isWaiting } from "./pg-internals.ts";

const CHECK_EVERY_MS = 1_000;
// Longer than a healthy server takes to report that a statement timed out.
const MARGIN_MS = 5_000;

/** Connections in a transaction whose statements have no time limit. */
const unlimited = new WeakSet<PoolClient>();

/** Closes a connection that receives no byte for 5 s longer than `statementTimeoutMs`; 0 is off. Returns a function to stop. */
export function watchSilence(
  pool: Pool,
  statementTimeoutMs: number,
  onSilence: (error: Error) => void,
): () => void {
  if (statementTimeoutMs === 0) return () => undefined;
  const checksMax = (statementTimeoutMs + MARGIN_MS) / CHECK_EVERY_MS;
  const heard = new Map<PoolClient, { bytes: number; silentChecks: number }>();
  pool.on("connect", (client) => {
    heard.set(client, { bytes: 0, silentChecks: 0 });
    connectionOf(client).stream.once("close", () => heard.delete(client));
  });

  // Counts checks, because a process that was paused has not yet read what arrived.
  function isSilent(client: PoolClient): boolean {
    const last = heard.get(client);
    const bytes = connectionOf(client).stream.bytesRead;
    const isLimited = isWaiting(client) && !unlimited.has(client);
    const silentChecks = isLimited && last?.bytes === bytes ? last.silentChecks + 1 : 0;
    heard.set(client, { bytes, silentChecks });
    return silentChecks > checksMax;
  }

  const endCheck = addCheck(() => {
    const silent = [...heard.keys()].filter(isSilent);
    if (silent.length > 0) {
      const error = new Error("Connection terminated: the database does not respond");
      onSilence(error);
      for (const client of silent) connectionOf(client).stream.destroy(error);
    }
    return pool.totalCount > pool.idleCount || [...heard.keys()].some(isWaiting);
  });
  pool.on("acquire", runChecks);
  return endCheck;
}

/** All pools share a timer. It wakes an idle process, so it runs only while a connection is in use. */
const checks = new Set<() => boolean>();
let timer: NodeJS.Timeout | undefined;

/** `check` returns whether a connection is in use. Returns a function that ends the checks. */
function addCheck(check: () => boolean): () => void {
  checks.add(check);
  return () => void checks.delete(check);
}

function runChecks(): void {
  timer ??= setInterval(() => {
    let inUse = false;
    for (const check of checks) inUse = check() || inUse;
    if (inUse) return;
    clearInterval(timer);
    timer = undefined;
  }, CHECK_EVERY_MS).unref();
}

/** Runs `work`, in the transaction that the client has begun, without a limit on the time of its statements. */
export async function withoutTimeouts<Result>(
  client: PoolClient,
  work: () => Promise<Result>,
): Promise<Result> {
  unlimited.add(client);
  try {
    await client.query("set local statement_timeout = 0");
    return await work();
  } finally {
    unlimited.delete(client);
  }
}

export function trackSockets(pool: Pool) {
  const open = new Map<Socket, Promise<void>>();
  const idle = new Set<Socket>();
  pool.on("acquire", (client) => idle.delete(connectionOf(client).stream));
  pool.on("release", (_, client) => {
    const { stream } = connectionOf(client);
    if (open.has(stream)) idle.add(stream);
  });
  pool.on("connect", (client) => {
    const { stream } = connectionOf(client);
    const closed = Promise.withResolvers<void>();
    open.set(stream, closed.promise);
    stream.once("close", () => {
      open.delete(stream);
      idle.delete(stream);
      closed.resolve();
    });
  });
  return {
    closed: () => Promise.all(open.values()),
    destroy: () => {
      for (const socket of open.keys()) socket.destroy();
    },
    destroyIdle: (error: Error) => {
      for (const socket of idle) socket.destroy(error);
    },
  };
}
