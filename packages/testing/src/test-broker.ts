import { randomBytes } from "node:crypto";
import { readSettings } from "@tradepost/runtime";
import { type ConsumeMessage, connect } from "amqplib";
import { z } from "zod";

const settings = z.object({ TEST_AMQP_URL: z.url(), TEST_RABBITMQ_MANAGEMENT_URL: z.url() });

// The exchanges of deploy/rabbitmq/platform.json.
const SHARED_EXCHANGES = ["platform.events", "platform.audit", "platform.replay"];

export type TestBroker = Awaited<ReturnType<typeof createTestBroker>>;

/**
 * Creates a vhost with the shared exchanges on the server of `npm test`: test files with the same queue names run concurrently.
 *
 * @throws SettingsError outside `npm test`.
 */
export async function createTestBroker() {
  const { TEST_AMQP_URL, TEST_RABBITMQ_MANAGEMENT_URL: managementUrl } = readSettings(settings);
  const vhost = `test_${randomBytes(6).toString("hex")}`;
  const { username } = new URL(managementUrl);
  const send = (method: string, path: string, body?: unknown) =>
    requestManagement(managementUrl, method, path, body);

  const create = async () => {
    await send("PUT", `/vhosts/${vhost}`);
    await send("PUT", `/permissions/${vhost}/${username}`, { configure: ".*", write: ".*", read: ".*" });
    for (const name of SHARED_EXCHANGES)
      await send("PUT", `/exchanges/${vhost}/${name}`, { type: "topic", durable: true });
  };
  const drop = async () => void (await send("DELETE", `/vhosts/${vhost}`));
  await create();
  const amqpUrl = new URL(TEST_AMQP_URL);
  amqpUrl.pathname = `/${vhost}`;
  return {
    amqpUrl: amqpUrl.href,
    managementUrl,
    /** About this vhost: `/queues/webhooks.dead` becomes `/queues/<vhost>/webhooks.dead`. */
    manage: (method: "GET" | "PUT" | "POST" | "DELETE", path: string, body?: unknown) =>
      send(method, path.replace(/^\/(\w+)/, `/$1/${vhost}`), body),
    /** Deletes the vhost, which closes its connections, and creates it again. */
    wipe: async () => {
      await drop();
      await create();
    },
    drop,
  };
}

/** `managementUrl` has the credentials, and `path` is below /api. Resolves with the parsed response; null if it is empty. */
export async function requestManagement(
  managementUrl: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const base = new URL(managementUrl);
  const credentials = `${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`;
  const response = await fetch(`${base.protocol}//${base.host}/api${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
      "content-type": "application/json",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const refused = `RabbitMQ's management API responded with ${response.status} to ${method} ${path}: ${text}`;
  if (!response.ok) throw new Error(refused);
  return text === "" ? null : JSON.parse(text);
}

/**
 * Collects the messages that the exchange routes by `pattern` from now on. Without `withReplayed`, it leaves out replayed messages
 * and copies, because a relay may publish a message twice.
 */
export async function captureMessages(
  amqpUrl: string,
  pattern: string,
  { withReplayed = false, exchange = "platform.events" } = {},
) {
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue("", { exclusive: true });
  await channel.bindQueue(queue, exchange, pattern);
  const messages: ConsumeMessage[] = [];
  const known = new Set<string>();
  const collect = (message: ConsumeMessage | null) => {
    if (message === null) return;
    const { messageId, headers } = message.properties;
    if (!withReplayed && (headers?.replayed === true || known.has(messageId))) return;
    known.add(messageId);
    messages.push(message);
  };
  await channel.consume(queue, collect, { noAck: true });
  return { messages, stop: () => connection.close() };
}
