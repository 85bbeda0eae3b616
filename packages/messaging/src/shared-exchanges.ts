// The exchanges by which services meet. Whoever runs the platform declares them, once; the services have no right to, and
// so cannot delete them either. A service that does not find one tries again until it is there.
import type { Logger } from "@tradepost/runtime";
import { repeat } from "@tradepost/runtime";
import type { Channel } from "amqplib";
import { AUDIT_EXCHANGE, EVENTS_EXCHANGE } from "./event.ts";
import { superviseConnection } from "./supervise-connection.ts";

/** The durable topic exchange for requests for a replay; the routing key is the exchange whose events are wanted again. */
export const REPLAY_EXCHANGE = "platform.replay";

/** All durable topic exchanges. */
export const SHARED_EXCHANGES = [EVENTS_EXCHANGE, AUDIT_EXCHANGE, REPLAY_EXCHANGE] as const;

/** For a service. Rejects where the exchange is not there, which ends the channel, and with it the generation. */
export async function checkSharedExchange(channel: Channel, name: string): Promise<void> {
  await channel.checkExchange(name);
}

export interface Keeping {
  /** Resolves when the exchanges are there. */
  whenUp(): Promise<void>;
  stop(): Promise<void>;
}

const DECLARE_EVERY_MS = 2_000;

/**
 * For whoever runs the platform, with a credential that may declare them: sees to it that the exchanges are there, also
 * after the broker was wiped or somebody deleted one.
 */
export function maintainSharedExchanges(options: { url: string; logger: Logger }): Keeping {
  return superviseConnection({
    ...options,
    name: "shared-exchanges",
    setUp: async (generation) => {
      const channel = await generation.connection.createChannel();
      channel.on("error", (error: Error) => generation.end(error.message));
      channel.on("close", () => generation.end("channel closed"));
      await declareAll(channel);
      const declaring = repeat(async () => {
        await declareAll(channel).catch(() => undefined);
        return DECLARE_EVERY_MS;
      });
      generation.signal.addEventListener("abort", () => void declaring.stop());
    },
  });
}

async function declareAll(channel: Channel): Promise<void> {
  for (const name of SHARED_EXCHANGES) await channel.assertExchange(name, "topic", { durable: true });
}
