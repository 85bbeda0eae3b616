// docker-compose.yml, the files used in addition to it and the Dockerfile are valid, and make-env.mjs writes the secrets that they need.
// deploy-files-wiring.test.ts tests whether the parts fit together.
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
import { ROOT, SERVICES } from "@tradepost/devstack";
import { DCLinter } from "dclint";
import {
  COMPOSE_FILE,
  fillIn,
  MAKE_ENV,
  makeEnvironment,
  parseCompose,
  readEnvironment,
  variablesIn,
} from "../support/compose-file.ts";
import { dockerfileStages, environmentOf, finalImage, theOnly } from "../support/dockerfile.ts";

const text = readFileSync(COMPOSE_FILE, "utf8");
const compose = parseCompose(text);
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
    const environment = makeEnvironment();
    expect(namesIn(/^([A-Z0-9_]+)=$/gm, example)).toEqual(required);
    expect(() => fillIn(text, environment)).not.toThrow();
    for (const name of required) {
      expect(() => fillIn(text, { ...environment, [name]: "" })).toThrow(`${name} is missing a value`);
    }
  });

  test("passes on every optional setting of the example", () => {
    expect(namesIn(/^# ([A-Z0-9_]+)=/gm, example)).toEqual(variablesIn(text).optional);
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
});

describe("make-env.mjs --add", () => {
  test("adds missing secrets to the file of an earlier version, and changes no others", async () => {
    await using directory = await mkdtempDisposable(path.join(os.tmpdir(), "make-env-"));
    const file = path.join(directory.path, ".env");
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

describe("compose.digests.yml", () => {
  const pinned = parseCompose(textOf("compose.digests.yml")).services;
  const built = { build: { args: { NODE_IMAGE: pin(finalImage().base) } } };

  test("pins each image of docker-compose.yml and of the Dockerfile, and changes nothing else", () => {
    expect(Object.keys(pinned).sort()).toEqual(Object.keys(compose.services).sort());
    for (const [name, { image }] of Object.entries(compose.services))
      expect([name, pinned[name]]).toEqual([name, image === undefined ? built : { image: pin(image) }]);
  });
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
