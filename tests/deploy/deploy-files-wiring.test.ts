// docker-compose.yml gives each service its settings, and connects only containers that need each other.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { settings as content } from "@tradepost/content/config";
import { SERVICES } from "@tradepost/devstack";
import { settings as gateway } from "@tradepost/gateway/config";
import { settings as orders } from "@tradepost/orders/config";
import { migrationSettings, readSettings } from "@tradepost/runtime";
import { settings as webhooks } from "@tradepost/webhooks/config";
import {
  COMPOSE_FILE,
  type ComposeService,
  fillIn,
  makeEnvironment,
  parseCompose,
} from "../support/compose-file.ts";
import { dockerfileStages, environmentOf, finalImage } from "../support/dockerfile.ts";

const SCHEMAS = { gateway, orders, content, webhooks };
const compose = parseCompose(readFileSync(COMPOSE_FILE, "utf8"));
const environment = makeEnvironment();

describe.each(SERVICES)("docker-compose.yml, of %s:", (name) => {
  const service = serviceNamed(name);
  const database = serviceNamed(`${name}-database`);
  const migrate = `${name}-migrate`;

  test("passes on every setting that the image does not set, and no unknown one", () => {
    // Only `npm start` may allow links that sign in.
    const ofImage = { ...environmentOf(finalImage()), SIGN_IN_LINKS: "" };
    const settings = Object.keys(SCHEMAS[name].shape).filter((setting) => !(setting in ofImage));
    expect(Object.keys(service.environment).toSorted()).toEqual(settings.toSorted());
  });

  test("sets values that it accepts", () => {
    const settings = readSettings(SCHEMAS[name], environmentIn(name));
    expect(settings).toMatchObject({ HOST: "0.0.0.0", PORT: 8080, LOG_LEVEL: "info" });
  });

  test("gives it its own database and the login", () => {
    expect(database.volumes).toEqual([`${name}-data:/var/lib/postgresql/data`]);
    // deploy/postgres/create-roles.sh names the owner after the database.
    const { POSTGRES_DB, POSTGRES_PASSWORD, LOGIN_PASSWORD } = environmentIn(`${name}-database`);
    const at = `${name}-database:5432/${POSTGRES_DB}`;
    expect(environmentIn(name)[`${name.toUpperCase()}_DATABASE_URL`]).toBe(
      `postgres://${name}_login:${LOGIN_PASSWORD}@${at}`,
    );
    expect(environmentIn(migrate)).toMatchObject({
      [`${name.toUpperCase()}_OWNER_DATABASE_URL`]: `postgres://${POSTGRES_DB}:${POSTGRES_PASSWORD}@${at}`,
    });
  });

  test("migrates the database first, once, in another container", () => {
    const completed = { condition: "service_completed_successfully" };
    expect(service.depends_on?.[migrate]).toEqual(completed);
    expect(serviceNamed(migrate)).toMatchObject({
      build: { args: { SERVICE: name } },
      command: ["node", "dist/migrate.js"],
      restart: "no",
      depends_on: { [`${name}-database`]: { condition: "service_healthy" } },
    });
    const known = Object.keys(migrationSettings(name).shape);
    expect(Object.keys(serviceNamed(migrate).environment).sort()).toEqual(known.sort());
  });

  test("does not give the running service the owner's password", () => {
    const { POSTGRES_PASSWORD = "" } = environmentIn(`${name}-database`);
    expect(JSON.stringify(environmentIn(name))).not.toContain(POSTGRES_PASSWORD);
  });

  test("lets only it and the operator connect to that database", () => {
    expect(database.networks).toEqual([`${name}-database`]);
    expect(compose.networks[`${name}-database`]).toEqual({ internal: true });
    expect(database.ports).toBeUndefined();
    const all = Object.entries(compose.services);
    const members = all.filter(([, { networks }]) => networks.includes(`${name}-database`));
    expect(members.map(([member]) => member)).toEqual([name, migrate, `${name}-database`, "ops"]);
  });
});

describe("docker-compose.yml", () => {
  test.each(["orders", "content", "webhooks"])(
    "lets the gateway find %s and sign its calls to it",
    (name) => {
      const caller = environmentIn("gateway");
      expect(caller[`${name.toUpperCase()}_URL`]).toBe(`http://${name}:8080`);
      expect(caller[`${name.toUpperCase()}_GATEWAY_SECRET`]).toBe(environmentIn(name).GATEWAY_SECRET);
      expect(sharedNetworks("gateway", name)).toContain("services");
    },
  );

  test.each([...SERVICES, "ops"])("lets %s connect to the broker as its own user", (name) => {
    const { users } = JSON.parse(fillIn(compose.configs["rabbitmq-users"]?.content ?? "", environment)) as {
      users: { name: string; tags: string; password_hash: string }[];
    };
    const { username, password, host } = new URL(environmentIn(name).AMQP_URL ?? "");
    expect(host).toBe("rabbitmq:5672");
    expect(username).toBe(name === "ops" ? "tradepost" : name);
    const user = users.find((one) => one.name === username);
    expect(user?.tags).toBe(name === "ops" ? "administrator" : "");
    const stored = Buffer.from(user?.password_hash ?? "", "base64");
    const hash = createHash("sha256").update(stored.subarray(0, 4)).update(password).digest();
    expect(stored.subarray(4)).toEqual(hash);
    expect(sharedNetworks(name, "rabbitmq")).toEqual(["broker"]);
  });

  test("gives the broker the users' permissions and the shared exchanges", () => {
    expect(compose.configs["rabbitmq-platform"]).toEqual({ file: "./deploy/rabbitmq/platform.json" });
    expect(compose.configs.rabbitmq?.content).toContain("load_definitions = /etc/rabbitmq/definitions\n");
    const targets = serviceNamed("rabbitmq").configs?.map(({ target }) => target);
    expect(targets?.slice(1)).toEqual([
      "/etc/rabbitmq/definitions/10-users.json",
      "/etc/rabbitmq/definitions/20-platform.json",
    ]);
  });

  test("sets the broker's hostname, after which its data directory is named", () => {
    const kept = { hostname: "rabbitmq", volumes: ["rabbitmq-data:/var/lib/rabbitmq"] };
    expect(serviceNamed("rabbitmq")).toMatchObject(kept);
  });

  test("publishes the gateway and the management page on this machine only", () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${fillIn(port, {})}`),
    );
    expect(published).toEqual(["gateway 127.0.0.1:8080:8080", "rabbitmq 127.0.0.1:15672:15672"]);
  });

  test("limits what each container may do, use and write", () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect({ name, ...service }).toMatchObject({
        name,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        mem_limit: expect.stringMatching(/^[12]g$/),
        pids_limit: expect.any(Number),
        logging: { driver: "json-file", options: { "max-size": "10m", "max-file": "5" } },
      });
      expect([name, service.cap_add, service.privileged]).toEqual([name, undefined, undefined]);
      // Compose copies configurations with content into the container, so its file system must be writable.
      const copies = service.configs?.some(({ source }) => compose.configs[source]?.content !== undefined);
      expect([name, service.read_only ?? false]).toEqual([name, copies !== true]);
    }
  });

  test("runs no container as root, and gives Postgres's user the directories that it writes to", () => {
    // The images of the services and of ops set their user.
    for (const { name, instructions } of dockerfileStages().filter((stage) =>
      ["ops", "service"].includes(stage.name),
    ))
      expect([name, instructions.filter(({ keyword }) => keyword === "USER")]).toEqual([
        name,
        [{ keyword: "USER", rest: "1000:1000" }],
      ]);
    for (const [name, { image, user, tmpfs }] of Object.entries(compose.services)) {
      expect([name, user]).toEqual([name, image === undefined ? undefined : "999:999"]);
      if (image?.startsWith("postgres:"))
        expect(tmpfs).toEqual(["/var/run/postgresql:uid=999,gid=999,mode=0775", "/tmp"]);
    }
  });

  test("restarts containers that exit", () => {
    const lasting = Object.entries(compose.services).filter(
      ([name]) => name !== "ops" && !name.endsWith("-migrate"),
    );
    expect(lasting.filter(([, { restart }]) => restart !== "unless-stopped")).toEqual([]);
  });

  test("checks the health of each server, and waits only for servers with a health check", () => {
    for (const [name, { image, healthcheck, depends_on = {} }] of Object.entries(compose.services)) {
      // The Dockerfile has the services' health check.
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

/** Returns the environment of the container: the image's variables, then those of docker-compose.yml. */
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
