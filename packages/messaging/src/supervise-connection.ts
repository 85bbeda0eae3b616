// Keeps one connection to the broker alive. Plain amqplib underneath: its own recovery ends the process when a reset
// comes during setup, and wedges for ever when a close does.
//
// A **generation** is one connection with all that was set up on it. Whatever goes wrong in it (the connection or a
// channel closes, a consumer is cancelled) ends the whole generation, and a new one begins after a backoff with full
// jitter. Nothing of one generation is used in the next: acknowledgements, channels and confirms die with theirs.
// The process is never ended from here.

import { backoff, type Logger, settlesWithin, sleep } from "@tradepost/runtime";
import { type ChannelModel, connect } from "amqplib";

export interface Generation {
  readonly connection: ChannelModel;
  /** Aborted when the generation ends. */
  readonly signal: AbortSignal;
  /** Ends the generation; its successor begins after the backoff. */
  end(reason: string): void;
}

export interface SupervisedConnection {
  /** True from the end of a generation's setup to its end. */
  isUp(): boolean;
  /** Resolves at once where the connection is up, else when it next is. */
  whenUp(): Promise<void>;
  /** Ends for good, also in the middle of connecting. Never rejects, and waits at most 2 s for the broker's farewell. */
  stop(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const SETUP_TIMEOUT_MS = 15_000;
const CLOSE_TIMEOUT_MS = 2_000;
const HEARTBEAT_SECONDS = 10;
// The maximum lets every service reconnect within 2 s after the broker is available again.
const BACKOFF = { minMs: 100, maxMs: 1_500, jitter: "full" } as const;

/**
 * In: the broker's amqp:// URL, the name that operators see, and `setUp`, run once for each generation, whose
 * channels must hand their `close` and `error` events to `generation.end`.
 */
export function superviseConnection(options: {
  url: string;
  name: string;
  logger: Logger;
  setUp: (generation: Generation) => Promise<void>;
}): SupervisedConnection {
  const { logger, name } = options;
  const stopping = new AbortController();
  let up = Promise.withResolvers<void>();
  let isUp = false;

  async function live(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      const { ended, hasBeenUp } = await liveOneGeneration();
      if (stopping.signal.aborted) return;
      if (hasBeenUp) failures = 0;
      logger.warn({ connection: name, reason: ended, failures }, "broker connection lost");
      await sleep(backoff(failures, BACKOFF), stopping.signal);
    }
  }

  async function liveOneGeneration(): Promise<{ ended: string; hasBeenUp: boolean }> {
    let hasBeenUp = false;
    try {
      const beginning = begin(options);
      const isBegun = await Promise.race([beginning.then(() => true), whenAborted(stopping.signal)]);
      if (isBegun !== true) {
        void beginning.then(({ connection }) => close(connection)).catch(() => undefined);
        return { ended: "stopping", hasBeenUp };
      }
      const generation = await beginning;
      const ended = whenAborted(generation.signal);
      const stop = () => generation.end("stopping");
      stopping.signal.addEventListener("abort", stop);
      if (stopping.signal.aborted) stop();
      try {
        await Promise.race([
          options.setUp(generation),
          rejectWhen(ended),
          rejectAfter(SETUP_TIMEOUT_MS, generation.signal),
        ]);
        hasBeenUp = isUp = true;
        up.resolve();
        logger.info({ connection: name }, "broker connection up");
        return { ended: await ended, hasBeenUp };
      } finally {
        stopping.signal.removeEventListener("abort", stop);
        if (isUp) up = Promise.withResolvers<void>();
        isUp = false;
        generation.end("setup failed");
        await close(generation.connection);
      }
    } catch (error) {
      return { ended: Error.isError(error) ? error.message : String(error), hasBeenUp };
    }
  }

  const living = live();
  return {
    isUp: () => isUp,
    whenUp: () => up.promise,
    stop: async () => {
      stopping.abort();
      await living;
    },
  };
}

async function begin(options: { url: string; name: string }): Promise<Generation> {
  const url = new URL(options.url);
  url.searchParams.set("heartbeat", String(HEARTBEAT_SECONDS));
  const connection = await connect(url.href, {
    timeout: CONNECT_TIMEOUT_MS,
    noDelay: true,
    clientProperties: { connection_name: options.name },
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

async function rejectAfter(timeoutMs: number, signal: AbortSignal): Promise<never> {
  await sleep(timeoutMs, signal);
  throw new Error("setup took too long");
}

/** On a link that is gone `close` never settles, so the socket is destroyed after a grace. */
async function close(connection: ChannelModel): Promise<void> {
  await settlesWithin(
    connection.close().catch(() => undefined),
    CLOSE_TIMEOUT_MS,
  );
  // amqplib does not type its socket; without this a half-open one would stay.
  (connection.connection as unknown as { stream?: { destroy(): void } }).stream?.destroy();
}
