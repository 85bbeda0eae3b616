// Runs deploy/kubernetes/make-secrets.mjs with the options for a set of the chart's values.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "./compose-file.ts";
import type { ValueSet } from "./helm.ts";

const PROGRAM = path.join(ROOT, "deploy/kubernetes/make-secrets.mjs");
const OPTIONS: Readonly<Record<ValueSet, readonly string[]>> = {
  minimal: [
    ...["--postgres", "{service}.postgres.internal:5432", "--amqp", "rabbitmq.internal:5672"],
    ...["--management", "http://rabbitmq.internal:15672"],
  ],
  operators: [],
  "high-availability": ["--per-service"],
  "private-network": [
    ...["--postgres", "pooler.internal:6432", "--postgres-owner", "postgres.internal:5432"],
    ...["--amqp", "node1.internal:5671,node2.internal:5671,node3.internal:5671", "--amqps"],
    ...["--management", "https://node1.internal:15671"],
  ],
};

/** The keys and values of each Secret, by its name. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function makeSecrets(values: ValueSet): Secrets {
  const { items } = JSON.parse(
    execFileSync(process.execPath, [PROGRAM, ...OPTIONS[values]], { encoding: "utf8" }),
  ) as {
    items: { metadata: { name: string }; stringData: Record<string, string> }[];
  };
  return Object.fromEntries(items.map(({ metadata, stringData }) => [metadata.name, stringData]));
}
