// docker-compose.yml is valid and needs the secrets that make-env.mjs writes. These tests need no Docker.
// deploy-files-wiring.test.ts tests whether its parts fit together.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Ajv } from "ajv";
import { DCLinter } from "dclint";
import {
  COMPOSE_FILE,
  fillIn,
  MAKE_ENV,
  makeEnvironment,
  parseCompose,
  ROOT,
  readEnvironment,
  variablesIn,
} from "./support/compose-file.ts";

const text = readFileSync(COMPOSE_FILE, "utf8");
const example = readFileSync(path.join(ROOT, "deploy/compose.env.example"), "utf8");

describe("docker-compose.yml", () => {
  test("is valid by the schema of Compose", () => {
    expect(faultsOf(text)).toEqual([]);
  });

  test.each([
    ["a misspelt key", "healthcheck:", "heathcheck:"],
    ["a misspelt condition", "service_healthy", "service_healthier"],
    ["a value of the wrong kind", "internal: true", "internal: { of: course }"],
  ])("would not be valid with %s", (_what, right, wrong) => {
    expect(text).toContain(right);
    expect(faultsOf(text.replace(right, wrong))).not.toEqual([]);
  });

  test("passes dclint", () => {
    expect(lint(COMPOSE_FILE)).toEqual([]);
  });

  test("names a patch version of each server, the one that the tests use", () => {
    const images = new Set(Object.values(parseCompose(text).services).flatMap(({ image }) => image ?? []));
    expect([...images].sort()).toEqual(["postgres:17.11", "rabbitmq:4.2.9-management"]);
    const tested = readFileSync(path.join(ROOT, "tools/devstack/src/servers/containers.ts"), "utf8");
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
  let file: string;

  beforeAll(() => {
    file = path.join(mkdtempSync(path.join(os.tmpdir(), "make-env-")), ".env");
    execFileSync(process.execPath, [MAKE_ENV, file]);
  });

  afterAll(() => rmSync(path.dirname(file), { recursive: true }));

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
  test("adds missing secrets to the file of an earlier version, and changes no others", () => {
    const directory = mkdtempSync(path.join(os.tmpdir(), "make-env-"));
    const file = path.join(directory, ".env");
    writeFileSync(file, "ORDERS_DATABASE_PASSWORD=kept\nRABBITMQ_PASSWORD=known");
    try {
      execFileSync(process.execPath, [MAKE_ENV, "--add", file]);
      const first = readEnvironment(file);
      expect(first).toMatchObject({ ORDERS_DATABASE_PASSWORD: "kept", RABBITMQ_PASSWORD: "known" });
      expect(Object.keys(first).sort()).toEqual(variablesIn(text).required);
      const stored = Buffer.from(first.RABBITMQ_PASSWORD_HASH ?? "", "base64");
      const hash = createHash("sha256").update(stored.subarray(0, 4)).update("known").digest();
      expect(stored.subarray(4)).toEqual(hash);
      execFileSync(process.execPath, [MAKE_ENV, "--add", file]);
      expect(readEnvironment(file)).toEqual(first);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

function faultsOf(yaml: string): unknown[] {
  const dclint = path.dirname(createRequire(import.meta.url).resolve("dclint/package.json"));
  // Ajv supports the draft that the schema names, but under another URL.
  const { $schema: _, ...schema } = JSON.parse(
    readFileSync(path.join(dclint, "schemas/compose.schema.json"), "utf8"),
  );
  const validate = new Ajv({ strict: false, allErrors: true, logger: false }).compile(schema);
  return validate(parseCompose(yaml)) ? [] : (validate.errors ?? []);
}

function lint(file: string): string[] {
  const linter = new DCLinter({
    rules: {
      // The order here is by meaning: services before their databases.
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
  // TypeScript cannot resolve its declarations under the rules for ESM.
  type Message = { line: number; rule: string; message: string };
  const messages: Message[] = linter.lintFiles([file], false)[0]?.messages ?? [];
  return messages.map(({ line, rule, message }) => `${line} ${rule}: ${message}`);
}

function namesIn(pattern: RegExp, lines: string): string[] {
  return [...lines.matchAll(pattern)].map(([, name = ""]) => name).sort();
}
