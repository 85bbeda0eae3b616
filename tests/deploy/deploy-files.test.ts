// docker-compose.yml, the files used in addition to it and the Dockerfile are valid and fit together: each service gets its settings and
// its secrets, which make-env.mjs writes, and only containers that need each other are connected.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { settings as content } from "@tradepost/content/config";
import { ROOT, SERVICES } from "@tradepost/devstack";
import { settings as gateway } from "@tradepost/gateway/config";
import { settings as orders } from "@tradepost/orders/config";
import { migrationSettings, readSettings } from "@tradepost/runtime";
import { settings as webhooks } from "@tradepost/webhooks/config";
import { DCLinter } from "dclint";
import {
  COMPOSE_FILE,
  type ComposeService,
  fillIn,
  MAKE_ENV,
  makeEnvironment,
  parseCompose,
  readEnvironment,
  variablesIn,
} from "../support/compose-file.ts";
import { dockerfileStages, environmentOf, finalImage, theOnly } from "../support/dockerfile.ts";

const SCHEMAS = { gateway, orders, content, webhooks };
const text = readFileSync(COMPOSE_FILE, "utf8");
const compose = parseCompose(text);
const environment = makeEnvironment();
const textOf = (name: string) => readFileSync(path.join(ROOT, "deploy", name), "utf8");
const example = textOf("compose.env.example");

describe("docker-compose.yml", () => {
  test("is valid by the schema of Compose and the rules of dclint", () => {
    expect(lint(COMPOSE_FILE)).toEqual([]);
  });

  test("names a patch version of each server, the one that the tests use", () => {
    const images = new Set(Object.values(compose.services).flatMap(({ image }) => image ?? []));
    expect([...images].sort()).toEqual(["postgres:17.11", "rabbitmq:4.2.9-management"]);
    const tested = readFileSync(path.join(ROOT, "tools/devstack/src/servers/provide-servers.ts"), "utf8");
    for (const name of images) expect(tested).toContain(`"${name}"`);
  });

  test("does not start without its secrets", () => {
    const { required } = variablesIn(text);
    expect(namesIn(/^([A-Z0-9_]+)=$/gm, example)).toEqual(required);
    expect(() => fillIn(text, environment)).not.toThrow();
    for (const name of required) {
      expect(() => fillIn(text, { ...environment, [name]: "" })).toThrow(`${name} is missing a value`);
    }
  });

  test("passes on every optional setting of the example", () => {
    expect(namesIn(/^# ([A-Z0-9_]+)=/gm, example)).toEqual(variablesIn(text).optional);
  });

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

describe("make-env.mjs", () => {
  const directory = mkdtempDisposableSync(path.join(os.tmpdir(), "make-env-"));
  const file = path.join(directory.path, ".env");
  execFileSync(process.execPath, [MAKE_ENV, file]);
  afterAll(() => directory.remove());

  test("generates new secrets, in a file that only its owner can read", () => {
    const values = [...Object.values(readEnvironment(file)), ...Object.values(makeEnvironment())];
    expect(new Set(values).size).toBe(values.length);
    expect(values.filter((value) => value.length < 32)).toEqual([]);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  });

  test("does not overwrite an existing file", () => {
    writeFileSync(file, "MINE=1\n");
    const { status, stderr } = spawnSync(process.execPath, [MAKE_ENV, file]);
    expect(status).toBe(1);
    expect(stderr.toString()).toContain("was not changed");
    expect(readFileSync(file, "utf8")).toBe("MINE=1\n");
  });

  test("with --add, adds missing secrets to the file of an earlier version, and changes no others", () => {
    const file = path.join(directory.path, "earlier.env");
    writeFileSync(file, "ORDERS_DATABASE_PASSWORD=kept\nRABBITMQ_PASSWORD=known");
    execFileSync(process.execPath, [MAKE_ENV, "--add", file]);
    const first = readEnvironment(file);
    expect(first).toMatchObject({ ORDERS_DATABASE_PASSWORD: "kept", RABBITMQ_PASSWORD: "known" });
    expect(Object.keys(first).sort()).toEqual(variablesIn(text).required);
    const stored = Buffer.from(first.RABBITMQ_PASSWORD_HASH ?? "", "base64");
    const hash = createHash("sha256").update(stored.subarray(0, 4)).update("known").digest();
    expect(stored.subarray(4)).toEqual(hash);
    execFileSync(process.execPath, [MAKE_ENV, "--add", file]);
    expect(readEnvironment(file)).toEqual(first);
  });
});

test("compose.digests.yml pins each image of docker-compose.yml and of the Dockerfile, and changes nothing else", () => {
  const pinned = parseCompose(textOf("compose.digests.yml")).services;
  const built = { build: { args: { NODE_IMAGE: pin(finalImage().base) } } };
  expect(Object.keys(pinned).sort()).toEqual(Object.keys(compose.services).sort());
  for (const [name, { image }] of Object.entries(compose.services))
    expect([name, pinned[name]]).toEqual([name, image === undefined ? built : { image: pin(image) }]);
});

function lint(file: string): string[] {
  const linter = new DCLinter({
    rules: {
      // Services are ordered by meaning: each before its database.
      "service-keys-order": 0,
      "services-alphabetical-order": 0,
      "top-level-properties-order": 0,
      // Double quotes, as in the rest of the repository.
      "require-quotes-in-ports": [2, { quoteType: "double" }],
    },
    quiet: false,
    debug: false,
    exclude: [],
  });
  // TypeScript cannot resolve the linter's declarations under the rules for ESM, so the fields that are used are declared here.
  type Message = { line: number; rule: string; message: string };
  const messages: Message[] = linter.lintFiles([file], false)[0]?.messages ?? [];
  return messages.map(({ line, rule, message }) => `${line} ${rule}: ${message}`);
}

function namesIn(pattern: RegExp, lines: string): string[] {
  return [...lines.matchAll(pattern)].map(([, name = ""]) => name).sort();
}

/** Matches an image with this tag and a digest. */
function pin(image: string): unknown {
  return expect.stringMatching(new RegExp(`^${image.replaceAll(".", "\\.")}@sha256:[0-9a-f]{64}$`));
}

describe("compose.backup.yml", () => {
  const backup = parseCompose(textOf("compose.backup.yml"));

  test("keeps the volume of each database, and gives it one for its backups, which ops can read", () => {
    const databases = Object.keys(compose.services).filter((name) => name.endsWith("-database"));
    expect(Object.keys(backup.services).sort()).toEqual(["backup-owner", ...databases, "ops"].sort());
    for (const name of databases) {
      const service = name.replace("-database", "");
      const [data] = compose.services[name]?.volumes ?? [];
      expect(backup.services[name]?.volumes).toEqual([data, `${service}-backup:/backup`]);
      expect(backup.services[name]?.command).toContain("archive_mode=on");
      expect(backup.services.ops?.volumes).toContain(`${service}-backup:/backups/${service}:ro`);
      expect(backup.services["backup-owner"]?.volumes).toContain(`${service}-backup:/backup/${service}`);
    }
    expect(backup.services["backup-owner"]?.image).toBe(compose.services["orders-database"]?.image);
  });

  test("makes the folders of the WAL and of the base backups in each new volume", async () => {
    await using directory = await mkdtempDisposable(path.join(os.tmpdir(), "backup-"));
    const { path: root } = directory;
    for (const service of ["gateway", "orders"]) mkdirSync(path.join(root, service));
    const [program = "", ...words] = (backup.services["backup-owner"]?.command ?? []) as string[];
    const commands = words.map((word) =>
      word.replaceAll("$$", "$").replaceAll("/backup", root).replace("999:999", String(process.getuid?.())),
    );
    execFileSync(program, commands);
    expect(readdirSync(path.join(root, "orders")).sort()).toEqual(["base", "wal"]);
    expect(readdirSync(root).sort()).toEqual(["gateway", "orders"]);
  });
});

/** The image of the Node release on which the tests run. */
const NODE_IMAGE = `node:${process.versions.node}-bookworm-slim`;
const image = finalImage();

describe("the Dockerfile", () => {
  test("ends in an image of one service, on the Node of the tests, for a user who is not root", () => {
    expect(image).toMatchObject({ base: NODE_IMAGE, name: "service" });
    expect(theOnly("USER", image)).toBe("1000:1000");
    expect(environmentOf(image)).toMatchObject({ HOST: "0.0.0.0", PORT: theOnly("EXPOSE", image) });
  });

  test("uses only earlier stages and copies only existing files", () => {
    const known = new Set([NODE_IMAGE]);
    for (const { base, name, instructions } of dockerfileStages()) {
      expect(known).toContain(base);
      known.add(name);
      const args = instructions.flatMap(({ keyword, rest }) => (keyword === "ARG" ? [rest.split("=")] : []));
      for (const copy of instructions.filter(({ keyword }) => keyword === "COPY")) {
        const written = args.reduce(
          (text, [arg, value]) => (value === undefined ? text : text.replaceAll(`\${${arg}}`, value)),
          copy.rest,
        );
        const { stage, sources } = readCopy(written);
        if (stage !== undefined) expect(known).toContain(stage);
        else expect(sources.filter((source) => !existsSync(path.join(ROOT, source)))).toEqual([]);
      }
    }
  });

  test("lists the npm packages of each service and of the dashboard, in CycloneDX", () => {
    const runs = dockerfileStages().flatMap(({ name, instructions }) =>
      instructions.flatMap(({ keyword, rest }) => (keyword === "RUN" ? [`${name}: ${rest}`] : [])),
    );
    const lists = runs.filter((run) => run.includes("--sbom-format cyclonedx"));
    expect(
      lists.map((run) =>
        /^(\w+): .*--filter "?@tradepost\/(\S+?)"? sbom --prod.* --out (\S+)$/.exec(run)?.slice(1),
      ),
    ).toEqual([
      ["served", "dashboard", "/sbom.dashboard.cdx.json"],
      ["build", "$" + "{SERVICE}", "/service/sbom.cdx.json"],
    ]);
  });

  test("checks its health with Node, on the port that it listens on", () => {
    const [, command = ""] = /CMD (\[.*\])$/.exec(theOnly("HEALTHCHECK", image)) ?? [];
    const [program, ...args] = JSON.parse(command) as string[];
    expect(program).toBe("node");
    expect(args.join(" ")).toContain("process.env.PORT + '/healthz'");
    // No program listens on the discard port.
    expect(spawnSync(process.execPath, args, { env: { PORT: "9" } }).status).toBe(1);
  });
});

/** Parses a COPY for each service. Its source is a stage or files of the repository. */
function readCopy(rest: string): { stage: string | undefined; sources: string[] } {
  const [, stage] = /^--from=(\S+)/.exec(rest) ?? [];
  const sources = rest.split(" ").slice(0, -1);
  return {
    stage,
    sources: SERVICES.flatMap((name) => sources.map((source) => source.replace(/\$\{SERVICE\}/, name))),
  };
}

function serviceNamed(name: string): ComposeService {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}

/** Returns the container's environment. A variable of docker-compose.yml replaces the image's. */
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
