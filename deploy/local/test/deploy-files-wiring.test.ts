// The parts of docker-compose.yml fit each other and the services' settings: who is given what, who reaches whom.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { settings as content } from "@tradepost/content/config";
import { settings as gateway } from "@tradepost/gateway/config";
import { settings as orders } from "@tradepost/orders/config";
import { readSettings } from "@tradepost/runtime";
import { settings as webhooks } from "@tradepost/webhooks/config";
import { SERVICES } from "../src/stack-settings.ts";
import {
  COMPOSE_FILE,
  type ComposeService,
  fillIn,
  makeEnvironment,
  parseCompose,
} from "./support/compose-file.ts";
import { environmentOf, finalImage } from "./support/dockerfile.ts";

const SCHEMAS = { gateway, orders, content, webhooks };
const compose = parseCompose(readFileSync(COMPOSE_FILE, "utf8"));
const environment = makeEnvironment();

describe.each(SERVICES)("docker-compose.yml, of %s:", (name) => {
  const service = serviceNamed(name);
  const database = serviceNamed(`${name}-database`);

  test("builds it from the one Dockerfile", () => {
    const build = { context: ".", dockerfile: "deploy/Dockerfile", args: { SERVICE: name } };
    expect(service.build).toEqual(build);
  });

  test("gives it every setting that it requires, and none that it does not know", () => {
    const schema = Object.entries(SCHEMAS[name].shape);
    const known = schema.map(([setting]) => setting);
    const required = schema.filter(([, setting]) => !setting.safeParse(undefined).success);
    const given = Object.keys(service.environment);
    expect(given.filter((setting) => !known.includes(setting))).toEqual([]);
    expect(required.map(([setting]) => setting).filter((setting) => !given.includes(setting))).toEqual([]);
  });

  test("gives it values that it accepts", () => {
    const settings = readSettings(SCHEMAS[name], environmentIn(name));
    expect(settings).toMatchObject({ HOST: "0.0.0.0", PORT: 8080, LOG_LEVEL: "info" });
  });

  test("gives it a database of its own, and the means to log in", () => {
    expect(database.volumes).toEqual([`${name}-data:/var/lib/postgresql/data`]);
    // Its owner has the database's name: deploy/postgres/create-owner.sh.
    const { POSTGRES_DB, POSTGRES_PASSWORD } = environmentIn(`${name}-database`);
    const host = `${name}-database:5432`;
    expect(environmentIn(name)[`${name.toUpperCase()}_DATABASE_URL`]).toBe(
      `postgres://${POSTGRES_DB}:${POSTGRES_PASSWORD}@${host}/${POSTGRES_DB}`,
    );
  });

  test("lets only it and the operator reach that database", () => {
    expect(database.networks).toEqual([`${name}-database`]);
    expect(compose.networks[`${name}-database`]).toEqual({ internal: true });
    expect(database.ports).toBeUndefined();
    const all = Object.entries(compose.services);
    const members = all.filter(([, { networks }]) => networks.includes(`${name}-database`));
    expect(members.map(([member]) => member)).toEqual([name, `${name}-database`, "ops"]);
  });
});

describe("docker-compose.yml", () => {
  test.each([
    ["orders", "ORDERS_URL", "ORDERS_GATEWAY_SECRET"],
    ["content", "CONTENT_URL", "CONTENT_GATEWAY_SECRET"],
    ["webhooks", "WEBHOOKS_URL", "WEBHOOKS_GATEWAY_SECRET"],
  ])("lets the gateway find %s and sign its calls to it", (name, url, secret) => {
    const caller = environmentIn("gateway");
    expect(caller[url]).toBe(`http://${name}:8080`);
    expect(caller[secret]).toBe(environmentIn(name).GATEWAY_SECRET);
    expect(sharedNetworks("gateway", name)).toContain("services");
  });

  test.each(["gateway", "orders", "content", "webhooks", "ops"])(
    "lets %s reach the broker and log in",
    (name) => {
      const { RABBITMQ_DEFAULT_USER, RABBITMQ_DEFAULT_PASS } = environmentIn("rabbitmq");
      expect(environmentIn(name).AMQP_URL).toBe(
        `amqp://${RABBITMQ_DEFAULT_USER}:${RABBITMQ_DEFAULT_PASS}@rabbitmq:5672`,
      );
      expect(sharedNetworks(name, "rabbitmq")).toEqual(["broker"]);
    },
  );

  test("keeps the broker's data where its name, and so the next one, finds them", () => {
    const kept = { hostname: "rabbitmq", volumes: ["rabbitmq-data:/var/lib/rabbitmq"] };
    expect(serviceNamed("rabbitmq")).toMatchObject(kept);
  });

  test("publishes the gateway, and the management page on this machine only", () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${fillIn(port, {})}`),
    );
    expect(published).toEqual(["gateway 0.0.0.0:8080:8080", "rabbitmq 127.0.0.1:15672:15672"]);
  });

  test("starts again what dies", () => {
    const lasting = Object.entries(compose.services).filter(([name]) => name !== "ops");
    expect(lasting.filter(([, { restart }]) => restart !== "unless-stopped")).toEqual([]);
  });

  test("asks each server whether it is well, and waits for none that it does not ask", () => {
    for (const [name, { image, healthcheck, depends_on = {} }] of Object.entries(compose.services)) {
      // The services' own question is in the Dockerfile.
      if (image !== undefined)
        expect({ name, healthcheck }).toEqual({ name, healthcheck: expect.anything() });
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        if (condition === "service_healthy") expect(serviceNamed(needed).image).toBeDefined();
      }
    }
  });
});

function serviceNamed(name: string): ComposeService {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}

/** What its container sees: the image's own settings, then those of docker-compose.yml. */
function environmentIn(name: string): Record<string, string> {
  const given = Object.entries(serviceNamed(name).environment);
  return {
    ...environmentOf(finalImage()),
    ...Object.fromEntries(given.map(([setting, value]) => [setting, fillIn(value, environment)])),
  };
}

function sharedNetworks(one: string, other: string): string[] {
  const { networks } = serviceNamed(other);
  return serviceNamed(one).networks.filter((network) => networks.includes(network));
}
