import type { Program } from "../process/program.ts";
import type { PreparedRabbitmq } from "../rabbitmq/private-rabbitmq.ts";
import type { ServiceName } from "../settings/platform-settings.ts";

/** A Postgres or a RabbitMQ, wherever it comes from. */
export interface Server<Addresses> {
  addresses: Addresses;
  /** To be started in this order; empty for a server that runs already. */
  processes: Program[];
  /** Stops what is not one of `processes`. */
  close(): Promise<void>;
}

export interface PostgresAddresses {
  /** As the superuser, for the database `postgres`. */
  url: string;
}

export interface BrokerAddresses {
  amqpUrl: string;
  /** With credentials. */
  managementUrl: string;
  /** As the services' own users, if the broker has them. */
  serviceAmqpUrls?: Record<ServiceName, string>;
  /** Only of a private node. */
  node?: PreparedRabbitmq["node"];
}
