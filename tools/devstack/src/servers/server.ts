import type { Program } from "../process/program.ts";
import type { PreparedRabbitmq } from "../rabbitmq/private-rabbitmq.ts";
import type { ServiceName } from "../settings/platform-settings.ts";

/** A Postgres or RabbitMQ from any source. */
export interface Server<Addresses> {
  addresses: Addresses;
  /** The programs to start, in this order; empty for a server that runs already. */
  processes: Program[];
  /** Stops everything that is not one of `processes`. */
  close(): Promise<void>;
}

export interface PostgresAddresses {
  /** The superuser's address of the database `postgres`. */
  url: string;
}

export interface BrokerAddresses {
  amqpUrl: string;
  /** The URL contains the credentials. */
  managementUrl: string;
  /** The addresses with the services' own users, if the broker has them. */
  serviceAmqpUrls?: Record<ServiceName, string>;
  /** Defined only for a private node. */
  node?: PreparedRabbitmq["node"];
}
