// Renders deploy/kubernetes/chart with Helm, reads manifests, and finds faults in their objects. Nothing is sent to a cluster.
import { execFile, execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "@tradepost/devstack";
import { parseAllDocuments } from "yaml";

export const CHART = path.join(ROOT, "deploy/kubernetes/chart");

/** The parts of an object that tests use. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the kind says what it is.
  readonly spec?: any;
}

/** A pod that an object creates. */
export interface PodTemplate {
  readonly owner: KubernetesObject;
  readonly component: string;
  readonly labels: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: validated as a part of its owner.
  readonly spec: any;
}

/** The API versions whose kinds the chart may create. */
const MODELS = ["apps/v1", "batch/v1", "networking.k8s.io/v1", "policy/v1", "v1"];
// In this folder the packages of the tests are found, and git ignores it.
const TYPES_DIR = path.join(ROOT, "tests/node_modules/.cache/chart-types");
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const run = promisify(execFile);
const HELM = process.env.TEST_HELM;

/** `describe` for tests that need Helm. Without it they are skipped, and `npm test` says so. */
export const describeWithHelm = HELM ? describe : describe.skip;

/** Runs Helm and resolves with its output. Rejects with Helm's message if it fails. */
export async function helm(...words: string[]): Promise<string> {
  return (await run(HELM || "helm", words, { maxBuffer: OUTPUT_BYTES_MAX })).stdout;
}

/** Returns the objects that the chart renders; `words` are Helm's options with values. */
export async function renderChart(...words: string[]): Promise<KubernetesObject[]> {
  return objectsIn(await helm("template", "tradepost", CHART, "--namespace", "shop", ...words));
}

export function objectsIn(text: string): KubernetesObject[] {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject | null);
  return documents.filter((object) => object !== null);
}

export function ofKind(kind: string, objects: readonly KubernetesObject[]): KubernetesObject[] {
  return objects.filter((object) => object.kind === kind);
}

export function podTemplatesOf(objects: readonly KubernetesObject[]): PodTemplate[] {
  return objects.flatMap((owner) => {
    const template = owner.spec?.template;
    if (template?.spec?.containers === undefined) return [];
    const { labels } = template.metadata;
    return [{ owner, component: labels["app.kubernetes.io/component"], labels, spec: template.spec }];
  });
}

/**
 * Returns the faults of the objects: what the models of their kinds refuse, and what the compiler finds by the models' types: a field
 * that does not exist, or a value of another type.
 */
export async function faultsOf(objects: readonly KubernetesObject[]): Promise<string[]> {
  const faults: string[] = [];
  for (const object of objects) {
    const at = `${object.kind} ${object.metadata.name}`;
    if (!MODELS.includes(object.apiVersion)) faults.push(`${at}: no model of ${object.apiVersion}`);
    const models = (await import(moduleOf(object))) as Record<string, Model>;
    try {
      const Kind = models[object.kind] as Model;
      new Kind(object).validate();
    } catch (error) {
      faults.push(`${at}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return [...faults, ...(await typeFaultsOf(objects))];
}

type Model = new (object: KubernetesObject) => { validate(): void };

function moduleOf({ apiVersion, kind }: KubernetesObject): string {
  return `kubernetes-models/${apiVersion}/${kind}`;
}

async function typeFaultsOf(objects: readonly KubernetesObject[]): Promise<string[]> {
  const modules = new Map(objects.map((object) => [object.kind, moduleOf(object)]));
  const imports = [...modules].map(([kind, module]) => `import type { I${kind} } from "${module}";`);
  const values = objects.map(
    (object, at) => `export const _${at}: I${object.kind} = ${JSON.stringify(object)};`,
  );
  await mkdir(TYPES_DIR, { recursive: true });
  try {
    await writeFile(path.join(TYPES_DIR, "objects.ts"), [...imports, ...values].join("\n"));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig", "--types", "node"];
    const resolution = ["--target", "esnext", "--module", "nodenext", "--moduleResolution", "nodenext"];
    const compiler = path.join(ROOT, "node_modules/.bin/tsc");
    await run(compiler, [...options, ...resolution, "objects.ts"], { cwd: TYPES_DIR });
    return [];
  } catch (error) {
    // The compiler writes its findings to standard output.
    return String((error as { stdout?: string }).stdout ?? error)
      .trim()
      .split("\n");
  } finally {
    await rm(TYPES_DIR, { recursive: true, force: true });
  }
}

/** Runs deploy/kubernetes/make-secrets.mjs. Returns the keys and values of each Secret, by its name. */
export function makeSecrets(...options: string[]): Record<string, Record<string, string>> {
  const program = path.join(ROOT, "deploy/kubernetes/make-secrets.mjs");
  const { items } = JSON.parse(
    execFileSync(process.execPath, [program, ...options], { encoding: "utf8" }),
  ) as {
    items: { metadata: { name: string }; stringData: Record<string, string> }[];
  };
  return Object.fromEntries(items.map(({ metadata, stringData }) => [metadata.name, stringData]));
}
