// The broker's users: the operator, who may do everything, and one user for each service, with its permissions from
// deploy/rabbitmq/platform.json. A private broker imports them at every boot, so that it also has them after its data is wiped.
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { brokerUrls, vhostOf } from "@tradepost/runtime";
import { requestManagement } from "@tradepost/testing";
import { SERVICES, type ServiceName } from "../settings/platform-settings.ts";

type Passwords = Readonly<Record<ServiceName, string>>;

const DEFINITIONS = new URL("../../../../deploy/rabbitmq/platform.json", import.meta.url);
const SALT_BYTES = 4;

/** The definition files by name. The broker imports them in the order of their names. */
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
    "20-platform.json": readFileSync(DEFINITIONS, "utf8"),
  };
}

/** Hashes a password as RabbitMQ stores it. */
function hashed(password: string) {
  const salt = randomBytes(SALT_BYTES);
  const hash = createHash("sha256").update(salt).update(password).digest();
  return {
    password_hash: Buffer.concat([salt, hash]).toString("base64"),
    hashing_algorithm: "rabbit_password_hashing_sha256",
  };
}

/** The broker's addresses with each service's user. `nameOf` returns the user's name. */
export function serviceAmqpUrls(
  amqpUrl: string,
  services: Passwords,
  nameOf: (service: ServiceName) => string = (service) => service,
): Record<ServiceName, string> {
  const urls = SERVICES.map((service) => {
    const urls = brokerUrls(amqpUrl).map((address) => {
      const url = new URL(address);
      url.username = encodeURIComponent(nameOf(service));
      url.password = encodeURIComponent(services[service]);
      return url.href;
    });
    return [service, urls.join(",")];
  });
  return Object.fromEntries(urls) as Record<ServiceName, string>;
}

type Permissions = readonly { readonly user: ServiceName; readonly vhost: string }[];

/**
 * Creates the same users on an external broker, over its management API. Resolves to the broker's addresses with each of them.
 * Their names contain the vhost's name, because users belong to the whole broker. Rejects if the user of the management API may not
 * create users.
 */
export async function createBrokerUsers(
  broker: { amqpUrl: string; managementUrl: string },
  services: Passwords,
): Promise<Record<ServiceName, string>> {
  const vhost = vhostOf(broker.amqpUrl);
  const prefix = vhost === "/" ? "tradepost" : `tradepost-${vhost}`;
  const nameOf = (service: ServiceName) => `${prefix}-${service}`;
  const platform = JSON.parse(readFileSync(DEFINITIONS, "utf8")) as Record<string, Permissions>;
  const ofServices = (permissions: Permissions = []) =>
    permissions
      .filter(({ user }) => SERVICES.includes(user))
      .map((permission) => ({ ...permission, vhost, user: nameOf(permission.user) }));
  await requestManagement(broker.managementUrl, "POST", "/definitions", {
    users: SERVICES.map((service) => ({ name: nameOf(service), tags: "", ...hashed(services[service]) })),
    permissions: ofServices(platform.permissions),
    topic_permissions: ofServices(platform.topic_permissions),
  });
  return serviceAmqpUrls(broker.amqpUrl, services, nameOf);
}
