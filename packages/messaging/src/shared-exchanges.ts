// Services may not declare or delete these exchanges. A service that finds one missing retries.
import { brokerUrls, type Logger, repeat, StartError } from "@tradepost/runtime";
import type { Channel } from "amqplib";
import { exists } from "./declare-once.ts";
import { AUDIT_EXCHANGE, EVENTS_EXCHANGE } from "./event.ts";
import { openSession, type SupervisedConnection, superviseConnection } from "./supervise-connection.ts";

/** The routing key is the exchange whose events are to be published again. */
export const REPLAY_EXCHANGE = "platform.replay";

/** Durable topic exchanges (interface §8). */
export const SHARED_EXCHANGES = [EVENTS_EXCHANGE, AUDIT_EXCHANGE, REPLAY_EXCHANGE] as const;

/**
 * Looks for all shared exchanges at the first address that accepts a connection.
 * @throws StartError if some do not exist, and otherwise the error of the connection.
 */
export async function checkSharedExchanges(url: string): Promise<void> {
  const [first, ...others] = brokerUrls(url);
  const session = (address: string) => openSession(address, "check");
  const { connection } = await others.reduce(
    (opening, address) => opening.catch(() => session(address)),
    session(first),
  );
  try {
    const missing: string[] = [];
    for (const name of SHARED_EXCHANGES)
      if (!(await exists(connection, (channel) => channel.checkExchange(name)))) missing.push(name);
    if (missing.length > 0) throw new StartError(`the broker lacks the exchanges ${missing.join(", ")}`);
  } finally {
    await connection.close().catch(() => undefined);
  }
}

const DECLARE_EVERY_MS = 2_000;

/** Declares the shared exchanges every 2 s, so that they exist again after a loss. Only the platform's credential may do so. */
export function maintainSharedExchanges(options: {
  url: string;
  logger: Logger;
}): Pick<SupervisedConnection, "whenUp" | "stop"> {
  return superviseConnection({
    ...options,
    name: "shared-exchanges",
    setUp: async (session) => {
      const channel = await session.connection.createChannel();
      channel.on("error", (error: Error) => session.end(error.message));
      channel.on("close", () => session.end("channel closed"));
      await declareAll(channel);
      const declaring = repeat(async () => {
        await declareAll(channel).catch(() => undefined);
        return DECLARE_EVERY_MS;
      });
      session.signal.addEventListener("abort", () => void declaring.stop());
    },
  });
}

async function declareAll(channel: Channel): Promise<void> {
  for (const name of SHARED_EXCHANGES) await channel.assertExchange(name, "topic", { durable: true });
}
