// The broker's users: one for each service, with the permissions that deploy/rabbitmq/platform.json gives it, and the
// operator, who may do everything. A private broker reads them at every boot, so that it has them after it was wiped.
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { SERVICES, type ServiceName } from "../settings/stack-settings.ts";

type Passwords = Readonly<Record<ServiceName, string>>;

const PLATFORM = new URL("../../../../deploy/rabbitmq/platform.json", import.meta.url);
const SALT_BYTES = 4;

/** In: the operator. Out: the files of definitions, by name, in the order in which the broker takes them in. */
export function brokerDefinitions(
  operator: { user: string; password: string },
  services: Passwords,
): Record<string, string> {
  const users = [
    { name: operator.user, tags: "administrator", ...hashed(operator.password) },
    ...SERVICES.map((name) => ({ name, tags: "", ...hashed(services[name]) })),
  ];
  return {
    "10-users.json": JSON.stringify({ users }),
    "20-platform.json": readFileSync(PLATFORM, "utf8"),
  };
}

/** As RabbitMQ stores a password. */
function hashed(password: string) {
  const salt = randomBytes(SALT_BYTES);
  const hash = createHash("sha256").update(salt).update(password).digest();
  return {
    password_hash: Buffer.concat([salt, hash]).toString("base64"),
    hashing_algorithm: "rabbit_password_hashing_sha256",
  };
}

/** The broker's address for each service. `nameOf` is what its user is called. */
export function serviceAmqpUrls(
  amqpUrl: string,
  services: Passwords,
  nameOf: (service: ServiceName) => string = (service) => service,
): Record<ServiceName, string> {
  const urls = SERVICES.map((service) => {
    const url = new URL(amqpUrl);
    url.username = encodeURIComponent(nameOf(service));
    url.password = encodeURIComponent(services[service]);
    return [service, url.href];
  });
  return Object.fromEntries(urls) as Record<ServiceName, string>;
}

interface Platform {
  permissions: (Record<"user" | "vhost", string> & Record<string, string>)[];
  topic_permissions: (Record<"user" | "vhost", string> & Record<string, string>)[];
}

/**
 * Makes the same users on a broker that is there already, over its management API, named after its vhost because users
 * belong to the whole broker. Out: its address for each service. Rejects where the credential may not.
 */
export async function createBrokerUsers(
  broker: { amqpUrl: string; managementUrl: string },
  services: Passwords,
): Promise<Record<ServiceName, string>> {
  const vhost = decodeURIComponent(new URL(broker.amqpUrl).pathname.slice(1)) || "/";
  const prefix = vhost === "/" ? "tradepost" : `tradepost-${vhost}`;
  const nameOf = (service: string) => `${prefix}-${service}`;
  const at = (...parts: string[]) => parts.map(encodeURIComponent).join("/");
  const platform = JSON.parse(readFileSync(PLATFORM, "utf8")) as Platform;
  for (const service of SERVICES) {
    const user = nameOf(service);
    const put = (path: string, body: object) => putManagement(broker.managementUrl, path, body);
    await put(at("users", user), { password: services[service], tags: "" });
    for (const { user: _user, vhost: _vhost, ...patterns } of platform.permissions.filter(of(service))) {
      await put(at("permissions", vhost, user), patterns);
    }
    for (const { user: _user, vhost: _vhost, ...patterns } of platform.topic_permissions.filter(
      of(service),
    )) {
      await put(at("topic-permissions", vhost, user), patterns);
    }
  }
  return serviceAmqpUrls(broker.amqpUrl, services, nameOf);
}

function of(service: string) {
  return ({ user }: { user: string }) => user === service;
}

async function putManagement(managementUrl: string, path: string, body: object): Promise<void> {
  const base = new URL(managementUrl);
  const credentials = `${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`;
  const response = await fetch(`${base.origin}/api/${path}`, {
    method: "PUT",
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`RabbitMQ's management API answered ${response.status} to PUT ${path}.`);
}
