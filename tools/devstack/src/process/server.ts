// What a Postgres or a RabbitMQ looks like to those who need one, wherever it comes from.

import type { ServiceName } from "../settings/stack-settings.ts";
import type { Startable } from "./running.ts";

/** Where a server answers, and what must be started first for it to do so, in this order. */
export interface Server<Addresses> {
  addresses: Addresses;
  processes: Startable[];
  /** Ends what is not among `processes`. */
  close(): Promise<void>;
}

export interface PostgresAddresses {
  /** The superuser's, of the database `postgres`. */
  url: string;
}

export interface BrokerAddresses {
  amqpUrl: string;
  /** With the credentials in it. */
  managementUrl: string;
  /** As the services' own users, where they have some. */
  serviceAmqpUrls?: Record<ServiceName, string>;
}
