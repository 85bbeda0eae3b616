// Starts a private broker or connects to an external one; declares the exchanges that the services share, and creates a
// user for each service if the broker's user may.
import { maintainSharedExchanges } from "@tradepost/messaging";
import { createLogger, settlesWithin } from "@tradepost/runtime";
import type { Supervisor } from "../process/supervisor.ts";
import { createBrokerUsers } from "../rabbitmq/broker-users.ts";
import { forAllServices, type PlatformSettings, type ServiceName } from "../settings/platform-settings.ts";
import type { BrokerAddresses } from "./provide-servers.ts";
import { provideRabbitmq } from "./provide-servers.ts";

export interface Broker {
  amqpUrl: string;
  managementUrl: string | null;
  amqpUrls: Record<ServiceName, string>;
  /** Undefined for a container or an external broker. */
  node?: BrokerAddresses["node"] | undefined;
}

type Passwords = Readonly<Record<ServiceName, string>>;

// A broker that is up takes only milliseconds to declare an exchange.
const DECLARE_TIMEOUT_MS = 15_000;

export async function startBroker(
  settings: PlatformSettings,
  passwords: Passwords,
  supervisor: Supervisor,
  log: (line: string) => void,
): Promise<Broker> {
  const broker =
    settings.broker === undefined
      ? await startPrivateBroker(settings, passwords, supervisor, log)
      : await externalBroker(settings.broker, passwords, log);
  const exchanges = maintainSharedExchanges({ url: broker.amqpUrl, logger: createLogger("local", "silent") });
  supervisor.onStop(exchanges.stop);
  if (await settlesWithin(exchanges.whenUp(), DECLARE_TIMEOUT_MS)) return broker;
  throw new Error("The broker does not respond, or the user of AMQP_URL may not declare exchanges.");
}

async function startPrivateBroker(
  { dataDir }: PlatformSettings,
  servicePasswords: Passwords,
  supervisor: Supervisor,
  log: (line: string) => void,
): Promise<Broker> {
  const options = { dataDir, durable: true, servicePasswords, log };
  const { processes, ...broker } = await provideRabbitmq(options);
  await supervisor.start(processes);
  const { amqpUrl, managementUrl, node } = broker;
  const amqpUrls = broker.serviceAmqpUrls ?? (await createBrokerUsers(broker, servicePasswords));
  return { amqpUrl, managementUrl, amqpUrls, node };
}

async function externalBroker(
  { amqpUrl, managementUrl }: NonNullable<PlatformSettings["broker"]>,
  passwords: Passwords,
  log: (line: string) => void,
): Promise<Broker> {
  const shared = { amqpUrl, managementUrl, amqpUrls: forAllServices(amqpUrl) };
  if (managementUrl === null) {
    log("The services share the user of AMQP_URL: set RABBITMQ_MANAGEMENT_URL to give each service its own.");
    return shared;
  }
  try {
    return { ...shared, amqpUrls: await createBrokerUsers({ amqpUrl, managementUrl }, passwords) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log(`The services share the user of AMQP_URL, because creating users failed: ${reason}`);
    return shared;
  }
}
