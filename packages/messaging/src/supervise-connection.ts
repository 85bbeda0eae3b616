// Keeps one connection to the broker open. It does not use amqplib's own recovery: a reset during setup ends the process, and a close
// during setup hangs forever.
//
// A **session** is one connection with the channels and consumers that were set up on it. Any failure in it (the connection or a channel
// closes, a consumer is cancelled) ends the whole session; a new one begins after a backoff with full jitter. Channels, acknowledgements
// and confirms of one session are never used in another. This file never ends the process.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type { Writable } from "node:stream";
import { backoff, brokerUrls, type Logger, type Metrics, settlesWithin, sleep } from "@tradepost/runtime";
import { type ChannelModel, connect } from "amqplib";

export interface BrokerSession {
  readonly connection: ChannelModel;
  readonly signal: AbortSignal;
  /** The next session begins after the backoff. */
  end(reason: string): void;
}

export interface SupervisedConnection {
  /** True from the end of a session's setup. */
  isUp(): boolean;
  whenUp(): Promise<void>;
  /** Closes the connection, even while it is being opened. Never rejects. Waits at most 2 s for the broker. */
  stop(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const SETUP_TIMEOUT_MS = 15_000;
const CLOSE_TIMEOUT_MS = 2_000;
const HEARTBEAT_SECONDS = 10;
const connections = new WeakMap<Metrics, ConnectionState[]>();

interface ConnectionState {
  wasAccepted: boolean;
  isRefused: boolean;
}

/** Rejects for /readyz if not `isUp`: a broker that never accepted the login makes a service not ready (interface §9). */
export async function checkBroker(metrics: Metrics, isUp: boolean): Promise<void> {
  if (isUp) return;
  const states = connections.get(metrics) ?? [];
  const error = new Error("not connected to the broker");
  if (!states.some(({ isRefused }) => isRefused)) throw error;
  const wasAccepted = states.some((state) => state.wasAccepted);
  throw Object.assign(error, { [wasAccepted ? "degraded" : "missing"]: "broker_refused" });
}

export interface ConnectionOptions {
  readonly url: string;
  /** Shown on the broker's management page. */
  readonly name: string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

interface SessionOptions extends ConnectionOptions {
  readonly setUp: (session: BrokerSession) => Promise<void>;
}

// At most 1.5 s, so that every connection is up within 2 s after the broker is.
const RECONNECT_BACKOFF = { minMs: 100, maxMs: 1_500, jitter: "full" } as const;

/**
 * Connects and reconnects until stopped. Several addresses, separated by commas, are tried in turn. `setUp` runs once per
 * session; it must pass the `close` and `error` events of its channels to `session.end`.
 */
export function superviseConnection(options: SessionOptions): SupervisedConnection {
  const { logger, name } = options;
  const stopping = new AbortController();
  let up = Promise.withResolvers<void>();
  let isUp = false;
  const urls = brokerUrls(options.url);
  const state: ConnectionState = { wasAccepted: false, isRefused: false };

  async function runSessions(): Promise<void> {
    let failures = 0;
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const url = urls[turn % urls.length] ?? urls[0];
      const { reason, wasUp } = await runSession(url);
      if (stopping.signal.aborted) return;
      if (wasUp) failures = 0;
      logger.warn({ connection: name, host: new URL(url).host, reason, failures }, "broker connection lost");
      failures += 1;
      // The other addresses are tried at once. Once all have failed, the waits grow.
      const rounds = Math.floor(failures / urls.length);
      if (rounds > 0 || wasUp)
        await sleep(backoff(Math.max(rounds - 1, 0), RECONNECT_BACKOFF), stopping.signal);
    }
  }

  async function runSession(url: string): Promise<{ reason: string; wasUp: boolean }> {
    let wasUp = false;
    try {
      const opening = openSession(url, name);
      const isOpen = await Promise.race([opening.then(() => true), whenAborted(stopping.signal)]);
      if (isOpen !== true) {
        void opening.then(({ connection }) => close(connection)).catch(() => undefined);
        return { reason: "stopping", wasUp };
      }
      const session = await opening;
      state.wasAccepted = true;
      state.isRefused = false;
      const ended = whenAborted(session.signal);
      const stop = () => session.end("stopping");
      stopping.signal.addEventListener("abort", stop);
      if (stopping.signal.aborted) stop();
      try {
        await Promise.race([options.setUp(session), rejectWhen(ended), rejectWhenLate(session.signal)]);
        wasUp = isUp = true;
        up.resolve();
        logger.info({ connection: name }, "broker connection up");
        return { reason: await ended, wasUp };
      } finally {
        stopping.signal.removeEventListener("abort", stop);
        if (isUp) up = Promise.withResolvers<void>();
        isUp = false;
        session.end("setup failed");
        await close(session.connection);
      }
    } catch (error) {
      state.isRefused = error instanceof BrokerRefusal;
      return { reason: Error.isError(error) ? error.message : String(error), wasUp };
    }
  }

  if (options.metrics !== undefined) watchState(options.metrics, roleOf(name), state, () => isUp);
  const running = runSessions();
  return {
    isUp: () => isUp,
    whenUp: () => up.promise,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

function watchState(metrics: Metrics, role: string, state: ConnectionState, isUp: () => boolean): void {
  connections.set(metrics, [...(connections.get(metrics) ?? []), state]);
  metrics.sumGauge(
    "broker_refused",
    "Connections that the broker refuses to this process: the login, the virtual host, or a limit.",
    [],
    () => [{ labels: {}, value: state.isRefused ? 1 : 0 }],
  );
  metrics.sumGauge(
    "broker_connected",
    "1 while the connection to the broker with this role is up, 0 while it is not.",
    ["role"],
    () => [{ labels: { role }, value: isUp() ? 1 : 0 }],
  );
}

function roleOf(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}

export async function openSession(address: string, name: string): Promise<BrokerSession> {
  const url = new URL(address);
  url.searchParams.set("heartbeat", String(HEARTBEAT_SECONDS));
  // Read for each connection, because certificates are renewed while a service runs.
  const caFile = url.searchParams.get("cacertfile");
  const connection = await connect(url.href, {
    timeout: CONNECT_TIMEOUT_MS,
    noDelay: true,
    clientProperties: { connection_name: name },
    ...(caFile !== null && { ca: [await readFile(caFile)] }),
  });
  const ending = new AbortController();
  const end = (reason: string) => ending.abort(reason);
  connection.on("error", (error: Error) => end(error.message));
  connection.on("close", () => end("closed"));
  return { connection, signal: ending.signal, end };
}

function whenAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(String(signal.reason));
    else signal.addEventListener("abort", () => resolve(String(signal.reason)), { once: true });
  });
}

async function rejectWhen(ended: Promise<string>): Promise<never> {
  throw new Error(await ended);
}

async function rejectWhenLate(signal: AbortSignal): Promise<never> {
  await sleep(SETUP_TIMEOUT_MS, signal);
  throw new Error("setup took too long");
}

/** Destroys the socket if the broker does not confirm the close in time, as on a broken link. */
async function close(connection: ChannelModel): Promise<void> {
  await settlesWithin(
    connection.close().catch(() => undefined),
    CLOSE_TIMEOUT_MS,
  );
  // amqplib does not declare its socket's type. Without this, a half-open socket would remain.
  (connection.connection as unknown as { stream?: { destroy(): void } }).stream?.destroy();
}

// The rest of this file changes a part of amqplib that is not exported. Check it when amqplib is upgraded.

/** The broker refuses the connection, for example its login. */
class BrokerRefusal extends Error {
  override readonly name = "BrokerRefusal";
}

interface Frame {
  readonly id?: number;
  readonly fields?: { readonly replyCode?: number; readonly replyText?: string };
}

interface Connection {
  step(take: (error: Error | null, frame: Frame | null) => void): void;
}

const CONNECTION_CLOSE = (10 << 16) + 50;

interface Mux {
  readonly out: Writable;
  _readIncoming(): void;
}

/** Without this, each message of a turn is a separate write to the socket. */
export function writeTogether({ connection }: ChannelModel): void {
  const { muxer } = connection as unknown as { muxer: Mux };
  const { _readIncoming } = muxer;
  muxer._readIncoming = () => {
    muxer.out.cork();
    _readIncoming.call(muxer);
    muxer.out.uncork();
  };
}

/** Without this, the errors of `connect` name only the kind of the broker's frame. */
function revealRefusals(): void {
  const require = createRequire(import.meta.url);
  const file = path.join(path.dirname(require.resolve("amqplib")), "lib/connection.js");
  const { prototype } = (require(file) as { Connection: { prototype: Connection } }).Connection;
  const { step } = prototype;
  prototype.step = function (take) {
    step.call(this, (error, frame) => {
      if (frame?.id !== CONNECTION_CLOSE) return take(error, frame);
      const { replyCode, replyText } = frame.fields ?? {};
      take(new BrokerRefusal(`${replyCode} ${replyText}`), null);
    });
  };
}

revealRefusals();
