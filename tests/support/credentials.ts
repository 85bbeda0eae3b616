// The credentials of a platform's services: their database logins and their broker users.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { PlatformSecrets, ServiceName } from "@tradepost/devstack";
import { settlesWithin } from "@tradepost/runtime";
import { requestManagement } from "@tradepost/testing";
import { type ChannelModel, type ConfirmChannel, connect } from "amqplib";
import pg from "pg";
import type { LaunchedPlatform } from "./launch-platform.ts";

/** The broker's refusal arrives after the request. A test that did not wait for it would make another test fail. */
const REFUSAL_TIMEOUT_MS = 10_000;

export type Credentials = ReturnType<typeof credentialsOf>;

export function credentialsOf(platform: LaunchedPlatform) {
  const secrets = JSON.parse(
    readFileSync(path.join(platform.dataDir, "secrets.json"), "utf8"),
  ) as PlatformSecrets;
  const { databases, amqpUrl, managementUrl } = platform.now();

  const databaseUrl = (service: ServiceName, database: string = service) => {
    const login = { username: `tradepost_${service}_login`, password: secrets.loginPasswords[service] };
    return Object.assign(new URL(databases[service]), { ...login, pathname: `/${database}` }).href;
  };
  const brokerUrl = (service: ServiceName, base = amqpUrl) =>
    Object.assign(new URL(base), { username: service, password: secrets.brokerPasswords[service] });
  const connections = new Map<ServiceName, Promise<ChannelModel>>();
  const connectionOf = (service: ServiceName) => {
    const open = connections.get(service) ?? connect(brokerUrl(service).href, { noDelay: true });
    connections.set(service, open);
    return open;
  };
  return {
    databaseUrl,
    /** Connects as the service, and assumes `role` if it is given. */
    database: async (service: ServiceName, role?: string): Promise<pg.Client> => {
      const client = new pg.Client({
        connectionString: databaseUrl(service),
        ...(role !== undefined && { options: `-c role=${role}` }),
      });
      await client.connect();
      return client;
    },
    /** Resolves with the code with which the broker refuses `request`, or null if it does not refuse it. */
    broker: async (service: ServiceName, request: (channel: ConfirmChannel) => Promise<unknown>) => {
      const connection = await connectionOf(service);
      // A refusal closes the channel, but not the connection.
      const channel = await connection.createConfirmChannel();
      try {
        return await codeOf(channel, request);
      } finally {
        await channel.close().catch(() => undefined);
      }
    },
    /** Sends a request to the management API. Rejects if it is refused. */
    manage: (service: ServiceName, method: string, path: string) =>
      requestManagement(
        brokerUrl(service, managementUrl ?? "").href,
        method,
        path,
        method === "GET" ? undefined : {},
      ),
    close: async () => {
      for (const connection of connections.values()) await (await connection).close();
    },
  };
}

async function codeOf(channel: ConfirmChannel, request: (channel: ConfirmChannel) => Promise<unknown>) {
  const refused = new Promise<number>((resolve) => {
    channel.on("error", (error: Error & { code?: number }) => resolve(error.code ?? 0));
  });
  const done = request(channel).then(
    () => null,
    // The error of the channel, which follows, has the same code.
    () => refused,
  );
  const outcome = Promise.race([refused, done]);
  return (await settlesWithin(outcome, REFUSAL_TIMEOUT_MS)) ? await outcome : -1;
}

/** Returns a request for `broker` that publishes a message. */
export function publish(exchange: string, routingKey: string) {
  return async (channel: ConfirmChannel) => {
    channel.publish(exchange, routingKey, Buffer.from("{}"));
    await channel.waitForConfirms();
  };
}
