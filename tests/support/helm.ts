// Runs Helm on deploy/kubernetes/chart. It sends nothing to a cluster.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { testHelm } from "@tradepost/testing";
import { parseAllDocuments } from "yaml";
import { ROOT } from "./compose-file.ts";
import type { KubernetesObject } from "./kubernetes-objects.ts";

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
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const run = promisify(execFile);

/** Without Helm, the tests that need it are skipped, and `npm test` says so. */
export const hasHelm = testHelm() !== undefined;

/** Runs helm and resolves with its output. Rejects with helm's message if it fails. */
export async function helm(...words: string[]): Promise<string> {
  try {
    return (await run(testHelm() ?? "helm", words, { maxBuffer: OUTPUT_BYTES_MAX })).stdout;
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
