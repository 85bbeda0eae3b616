// Prints RabbitMQ's definitions for one service that runs on its own: the shared exchanges, its user and its permissions.
//   BROKER_PASSWORD=… node deploy/rabbitmq/service-definitions.mjs orders > orders.json && rabbitmqctl import_definitions orders.json
// BROKER_USER is the user, by default the service's name, and BROKER_VHOST the virtual host, by default `/`.
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

const SALT_BYTES = 4;
const [service] = process.argv.slice(2);
const { BROKER_PASSWORD, BROKER_USER = service, BROKER_VHOST: vhost = "/" } = process.env;
const platform = JSON.parse(readFileSync(new URL("platform.json", import.meta.url), "utf8"));
const ofService = (rows) =>
  rows.filter(({ user }) => user === service).map((row) => ({ ...row, user: BROKER_USER, vhost }));
const permissions = ofService(platform.permissions);
if (!BROKER_PASSWORD || permissions.length === 0 || service === "tradepost") {
  process.stderr.write(
    "Usage: BROKER_PASSWORD=… node service-definitions.mjs gateway|orders|content|webhooks\n",
  );
  process.exit(1);
}
const definitions = {
  vhosts: [{ name: vhost }],
  users: [
    {
      ...{ name: BROKER_USER, tags: "", hashing_algorithm: "rabbit_password_hashing_sha256" },
      password_hash: hashOf(BROKER_PASSWORD),
    },
  ],
  permissions,
  topic_permissions: ofService(platform.topic_permissions),
  exchanges: platform.exchanges.map((exchange) => ({ ...exchange, vhost })),
};
process.stdout.write(`${JSON.stringify(definitions, null, 2)}\n`);

/** Hashes as RabbitMQ does. */
function hashOf(password) {
  const salt = randomBytes(SALT_BYTES);
  const hash = createHash("sha256").update(salt).update(password).digest();
  return Buffer.concat([salt, hash]).toString("base64");
}
