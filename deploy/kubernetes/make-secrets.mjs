// Prints the Secrets that the chart's values name, with random passwords and keys, as one list for kubectl:
//   node deploy/kubernetes/make-secrets.mjs | kubectl --namespace shop create --filename -
// `create` never changes a Secret that exists: databases keep the passwords with which they were made. Without options the
// addresses name the clusters of examples/operators.yaml.
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";

const SERVICES = ["gateway", "orders", "content", "webhooks"];
const KEY_BYTES = 32;
const USAGE = `Options:
  --postgres HOST       your own Postgres, host:port; {service} stands for the service's name
  --postgres-owner HOST the same without a pooler, for migrations and ops (by default --postgres)
  --amqp HOSTS          your own RabbitMQ, host:port of each node, separated by commas
  --amqps               with TLS
  --management URL      the management API of your own RabbitMQ, http://host:15672`;

const { values: options } = parseArgs({
  options: {
    postgres: { type: "string", default: "tradepost-db-rw:5432" },
    "postgres-owner": { type: "string" },
    amqp: { type: "string", default: "tradepost-rabbitmq:5672" },
    amqps: { type: "boolean", default: false },
    management: { type: "string", default: "http://tradepost-rabbitmq:15672" },
    help: { type: "boolean", default: false },
  },
});

if (options.help) console.log(USAGE);
else console.log(JSON.stringify({ apiVersion: "v1", kind: "List", items: secrets() }, null, 2));

function secrets() {
  const operator = login("tradepost");
  const gatewaySecrets = Object.fromEntries(SERVICES.slice(1).map((service) => [service, text()]));
  const ops = { AMQP_URL: amqpUrl(operator), RABBITMQ_MANAGEMENT_URL: managementUrl(operator) };
  const items = SERVICES.flatMap((service) => {
    const upper = service.toUpperCase();
    const owner = login(service);
    const process = login(`${service}_login`);
    const broker = login(service);
    const settings = {
      [`${upper}_DATABASE_URL`]: databaseUrl(service, process, options.postgres),
      AMQP_URL: amqpUrl(broker),
      ...(service === "gateway"
        ? gatewaySettings(gatewaySecrets)
        : { GATEWAY_SECRET: gatewaySecrets[service], ...ownSettings(service) }),
    };
    const ownerUrl = databaseUrl(service, owner, options["postgres-owner"] ?? options.postgres);
    ops[`${upper}_DATABASE_URL`] = ownerUrl;
    return [
      secret(`tradepost-${service}`, settings),
      secret(`tradepost-${service}-owner`, { [`${upper}_OWNER_DATABASE_URL`]: ownerUrl }),
      secret(`tradepost-${service}-db-owner`, owner, "kubernetes.io/basic-auth"),
      secret(`tradepost-${service}-db-login`, process, "kubernetes.io/basic-auth"),
      secret(`tradepost-${service}-broker`, broker),
    ];
  });
  return [...items, secret("tradepost-operator-broker", operator), secret("tradepost-ops", ops)];
}

function secret(name, stringData, type = "Opaque") {
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, type, stringData };
}

function gatewaySettings(shared) {
  return {
    ...Object.fromEntries(
      SERVICES.slice(1).map((name) => [`${name.toUpperCase()}_GATEWAY_SECRET`, shared[name]]),
    ),
    TOKEN_SIGNING_KEYS: `${randomBytes(4).toString("hex")}:${randomBytes(KEY_BYTES).toString("base64")}`,
  };
}

function ownSettings(service) {
  if (service === "content") return { CONTENT_MEDIA_LINK_SECRETS: text() };
  if (service === "webhooks") return { WEBHOOKS_SEALING_KEY: randomBytes(KEY_BYTES).toString("base64") };
  return {};
}

/** The password is part of a URL, so it is base64url. */
function login(username) {
  return { username, password: text() };
}

function text() {
  return randomBytes(KEY_BYTES).toString("base64url");
}

function databaseUrl(service, { username, password }, host) {
  return `postgres://${username}:${password}@${host.replaceAll("{service}", service)}/${service}`;
}

function amqpUrl({ username, password }) {
  const hosts = options.amqp.split(",");
  return hosts.map((host) => `amqp${options.amqps ? "s" : ""}://${username}:${password}@${host}`).join(",");
}

function managementUrl({ username, password }) {
  const url = new URL(options.management);
  return Object.assign(url, { username, password }).href.replace(/\/$/, "");
}
