// What a service of a platform has in hand: its login to its database and its user of the broker, as an intruder would use
// them.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { PlatformSecrets, ServiceName } from "@tradepost/devstack";
import { type ConfirmChannel, connect } from "amqplib";
import pg from "pg";
import type { LaunchedPlatform } from "./launch-platform.ts";

/** Without waiting for it, an error that comes late would be another test's. */
const REFUSED_WITHIN_MS = 10_000;

export function credentialsOf(platform: LaunchedPlatform) {
  const secrets = JSON.parse(
    readFileSync(path.join(platform.dataDir, "secrets.json"), "utf8"),
  ) as PlatformSecrets;
  const { databases, amqpUrl, managementUrl } = platform.now();

  const databaseUrl = (service: ServiceName, database: string = service) => {
    const url = new URL(databases[service]);
    url.username = `tradepost_${service}_login`;
    url.password = secrets.loginPasswords[service];
    url.pathname = `/${database}`;
    return url.href;
  };
  const brokerUrl = (service: ServiceName, base = amqpUrl) => {
    const url = new URL(base);
    url.username = service;
    url.password = secrets.brokerPasswords[service];
    return url;
  };
  return {
    databaseUrl,
    /** A connection as the service, acting as one of its roles where one is named. */
    database: async (service: ServiceName, role?: string): Promise<pg.Client> => {
      const client = new pg.Client({
        connectionString: databaseUrl(service),
        ...(role !== undefined && { options: `-c role=${role}` }),
      });
      await client.connect();
      return client;
    },
    /** Out: the code that the broker refuses the deed with, or null where it does not. */
    broker: async (service: ServiceName, deed: (channel: ConfirmChannel) => Promise<unknown>) => {
      const connection = await connect(brokerUrl(service).href);
      connection.on("error", () => undefined);
      try {
        return await codeOf(await connection.createConfirmChannel(), deed);
      } finally {
        await connection.close().catch(() => undefined);
      }
    },
    /** Out: the status that the management API answers with. */
    manage: async (service: ServiceName, method: string, what: string) => {
      const base = brokerUrl(service, managementUrl ?? "");
      const { status } = await fetch(`${base.origin}/api/${what}`, {
        method,
        headers: {
          authorization: `Basic ${Buffer.from(`${base.username}:${base.password}`).toString("base64")}`,
          "content-type": "application/json",
        },
        ...(method !== "GET" && { body: "{}" }),
      });
      return status;
    },
  };
}

async function codeOf(channel: ConfirmChannel, deed: (channel: ConfirmChannel) => Promise<unknown>) {
  const refused = new Promise<number>((resolve) => {
    channel.on("error", (error: Error & { code?: number }) => resolve(error.code ?? 0));
  });
  const done = deed(channel).then(
    () => null,
    // The error says the same as the channel's, which comes in any case.
    () => refused,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<number>((resolve) => {
    timer = setTimeout(() => resolve(-1), REFUSED_WITHIN_MS);
  });
  return await Promise.race([refused, done, late]).finally(() => clearTimeout(timer));
}

/** As a deed for `broker`. */
export function publish(exchange: string, routingKey: string) {
  return async (channel: ConfirmChannel) => {
    channel.publish(exchange, routingKey, Buffer.from("{}"));
    await channel.waitForConfirms();
  };
}
