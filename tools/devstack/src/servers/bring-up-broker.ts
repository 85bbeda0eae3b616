// The broker of `npm start`: a private one, or somebody's own; with the exchanges that services meet by, and for each
// service a user of its own where users can be made.
import { setTimeout as sleep } from "node:timers/promises";
import { maintainSharedExchanges } from "@tradepost/messaging";
import { createLogger } from "@tradepost/runtime";
import type { Keeper } from "../process/keeper.ts";
import { createBrokerUsers } from "../rabbitmq/broker-users.ts";
import { type ServiceName, type StackSettings, sameForAll } from "../settings/stack-settings.ts";
import { provideRabbitmq } from "./infrastructure.ts";

export interface Broker {
  /** The operator's. */
  amqpUrl: string;
  managementUrl: string | null;
  /** For each service. */
  amqpUrls: Record<ServiceName, string>;
}

type Passwords = Readonly<Record<ServiceName, string>>;

// A broker that is up declares an exchange within milliseconds.
const DECLARE_WITHIN_MS = 15_000;

/** Rejects with a sentence for the person at the terminal. */
export async function bringUpBroker(
  settings: StackSettings,
  passwords: Passwords,
  keeper: Keeper,
  say: (line: string) => void,
): Promise<Broker> {
  const broker =
    settings.broker === undefined
      ? await bringUpPrivate(settings, passwords, keeper, say)
      : await takeGiven(settings.broker, passwords, say);
  const exchanges = maintainSharedExchanges({ url: broker.amqpUrl, logger: createLogger("local", "silent") });
  keeper.atEnd(exchanges.stop);
  const late = new AbortController();
  await Promise.race([
    exchanges.whenUp(),
    sleep(DECLARE_WITHIN_MS, undefined, { signal: late.signal }).then(() => {
      throw new Error("The broker does not answer, or the user of AMQP_URL may not declare exchanges there.");
    }),
  ]).finally(() => late.abort());
  return broker;
}

async function bringUpPrivate(
  { dataDir }: StackSettings,
  servicePasswords: Passwords,
  keeper: Keeper,
  say: (line: string) => void,
): Promise<Broker> {
  const wanted = { dataDir, durable: true, containersFirst: false, servicePasswords, say };
  const { addresses, processes, close } = await provideRabbitmq(wanted);
  keeper.atEnd(close);
  await keeper.keep(processes);
  const { amqpUrl, managementUrl } = addresses;
  const amqpUrls = addresses.serviceAmqpUrls ?? (await createBrokerUsers(addresses, servicePasswords));
  return { amqpUrl, managementUrl, amqpUrls };
}

async function takeGiven(
  { amqpUrl, managementUrl }: NonNullable<StackSettings["broker"]>,
  passwords: Passwords,
  say: (line: string) => void,
): Promise<Broker> {
  const shared = { amqpUrl, managementUrl, amqpUrls: sameForAll(amqpUrl) };
  if (managementUrl === null) {
    say("The services share the user of AMQP_URL: set RABBITMQ_MANAGEMENT_URL to give each one of its own.");
    return shared;
  }
  try {
    return { ...shared, amqpUrls: await createBrokerUsers({ amqpUrl, managementUrl }, passwords) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(`The services share the user of AMQP_URL, because none could be made for each: ${reason}`);
    return shared;
  }
}
