// Reads docker-compose.yml as Compose does, with anchors merged and ${NAME} replaced by the values that make-env.mjs writes.
import { execFileSync } from "node:child_process";
import { mkdtempDisposableSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ROOT } from "@tradepost/devstack";
import { parse } from "yaml";

export const COMPOSE_FILE = path.join(ROOT, "docker-compose.yml");
export const MAKE_ENV = path.join(ROOT, "deploy/make-env.mjs");

export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
  configs: Record<string, { content?: string; file?: string }>;
}

/** The fields that tests read. */
export interface ComposeService {
  image?: string;
  command?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment: Record<string, string>;
  networks: string[];
  ports?: string[];
  volumes?: string[];
  restart?: string;
  user?: string;
  read_only?: boolean;
  tmpfs?: string[];
  cap_add?: string[];
  privileged?: boolean;
  healthcheck?: unknown;
  configs?: { source: string; target: string }[];
}

/** Parses YAML and merges `<<`. Variables are not replaced. */
export function parseCompose(text: string): ComposeFile {
  return parse(text, { merge: true }) as ComposeFile;
}

/** Replaces the variables. Throws, as Compose does, if a variable `${NAME:?message}` has no value. */
export function fillIn(text: string, environment: Record<string, string>): string {
  return text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_written, name: string, operator, other: string) => {
    const value = environment[name] || (operator === "-" ? other : undefined);
    if (value === undefined) throw new Error(`${name} is missing a value: ${other}`);
    return value;
  });
}

/** Returns the variables in a text. Throws on any form but `${NAME:?message}` and `${NAME:-default}`. */
export function variablesIn(text: string): { required: string[]; optional: string[] } {
  const required = new Set<string>();
  const optional = new Set<string>();
  for (const [written] of text.matchAll(/\$[^}]*\}?/g)) {
    const [, name, operator] = /^\$\{([A-Z0-9_]+):([?-])[^}]*\}$/.exec(written) ?? [];
    if (name === undefined) throw new Error(`${written}: neither required nor with a default`);
    (operator === "?" ? required : optional).add(name);
  }
  return { required: [...required].sort(), optional: [...optional].sort() };
}

/** Runs make-env.mjs and returns the environment that it writes. */
export function makeEnvironment(): Record<string, string> {
  const directory = mkdtempDisposableSync(path.join(os.tmpdir(), "make-env-"));
  const file = path.join(directory.path, ".env");
  try {
    execFileSync(process.execPath, [MAKE_ENV, file]);
    return readEnvironment(file);
  } finally {
    directory.remove();
  }
}

/** Reads lines NAME=value, as Compose reads .env. */
export function readEnvironment(file: string): Record<string, string> {
  const lines = readFileSync(file, "utf8").matchAll(/^([A-Z0-9_]+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}
