// Finds faults in rendered objects: with the models of their kinds, and with the models' types, which contain every field's name.
// The kinds of RabbitMQ's and CloudNativePG's operators have no models on npm; operator-schemas.ts has them.
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./compose-file.ts";
import type { KubernetesObject } from "./kubernetes-objects.ts";
import { operatorSchemas } from "./operator-schemas.ts";

const MODULES: Readonly<Record<string, string>> = {
  v1: "kubernetes-models/v1",
  "apps/v1": "kubernetes-models/apps/v1",
  "autoscaling/v2": "kubernetes-models/autoscaling/v2",
  "batch/v1": "kubernetes-models/batch/v1",
  "networking.k8s.io/v1": "kubernetes-models/networking.k8s.io/v1",
  "policy/v1": "kubernetes-models/policy/v1",
  "gateway.networking.k8s.io/v1": "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1",
  "keda.sh/v1alpha1": "@kubernetes-models/keda/keda.sh/v1alpha1",
  "monitoring.coreos.com/v1": "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
};
// In this folder the packages of the tests are found, and git ignores it.
const TYPES_DIR = path.join(ROOT, "tests/node_modules/.cache/chart-types");
const run = promisify(execFile);

/** Returns the faults of one object. A kind without a schema here is a fault too. */
export async function faultsOf(object: KubernetesObject): Promise<string[]> {
  const at = `${object.kind} ${object.metadata.name}`;
  const own = operatorSchemas[`${object.apiVersion} ${object.kind}`];
  if (own !== undefined) {
    const issues = own.safeParse(object).error?.issues ?? [];
    return issues.map((issue) => `${at}: ${issue.path.join(".")}: ${issue.message}`);
  }
  const module = MODULES[object.apiVersion];
  if (module === undefined) return [`${at}: no schema of ${object.apiVersion}`];
  const models = (await import(`${module}/${object.kind}`)) as Record<string, Model>;
  const Kind = models[object.kind];
  if (Kind === undefined) return [`${at}: ${object.apiVersion} has no such kind`];
  try {
    new Kind(object).validate();
    return [];
  } catch (error) {
    return [`${at}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

type Model = new (object: KubernetesObject) => { validate(): void };

/** Returns the faults that the compiler finds: a field that does not exist, or a value of another type. */
export async function typeFaultsOf(objects: readonly KubernetesObject[]): Promise<string[]> {
  const typed = objects.filter(({ apiVersion }) => apiVersion in MODULES);
  const types = new Map(typed.map(({ apiVersion, kind }) => [kind, `${MODULES[apiVersion]}/${kind}`]));
  const imports = [...types].map(([kind, module]) => `import type { I${kind} } from "${module}";`);
  const values = typed.map(
    (object, at) => `export const _${at}: I${object.kind} = ${JSON.stringify(object)};`,
  );
  await mkdir(TYPES_DIR, { recursive: true });
  try {
    await writeFile(path.join(TYPES_DIR, "objects.ts"), [...imports, ...values].join("\n"));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig", "--types", "node"];
    const modules = ["--target", "esnext", "--module", "nodenext", "--moduleResolution", "nodenext"];
    const compiler = path.join(ROOT, "node_modules/.bin/tsc");
    await run(compiler, [...options, ...modules, "objects.ts"], { cwd: TYPES_DIR });
    return [];
  } catch (error) {
    // The compiler writes its findings to standard output.
    const output = String((error as { stdout?: string }).stdout ?? error).trim();
    return output.split("\n").map((line) => {
      const [, at] = /^objects\.ts\((\d+),/.exec(line) ?? [];
      const object = at === undefined ? undefined : typed[Number(at) - 1 - imports.length];
      return object === undefined ? line : `${object.kind} ${object.metadata.name}: ${line}`;
    });
  } finally {
    await rm(TYPES_DIR, { recursive: true, force: true });
  }
}
