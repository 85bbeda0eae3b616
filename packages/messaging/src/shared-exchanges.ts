// The exchanges that connect the services. A service has no right to declare or delete them; one that does not find one retries.
import { type Logger, repeat } from "@tradepost/runtime";
import type { Channel } from "amqplib";
import { AUDIT_EXCHANGE, EVENTS_EXCHANGE } from "./event.ts";
import { type SupervisedConnection, superviseConnection } from "./supervise-connection.ts";

/** The topic exchange of replay requests; the routing key is the exchange whose events are to be published again. */
export const REPLAY_EXCHANGE = "platform.replay";

/** Durable topic exchanges (interface §8). */
export const SHARED_EXCHANGES = [EVENTS_EXCHANGE, AUDIT_EXCHANGE, REPLAY_EXCHANGE] as const;

/** @throws if the exchange does not exist, which also closes the channel. */
export async function checkSharedExchange(channel: Channel, name: string): Promise<void> {
  await channel.checkExchange(name);
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
