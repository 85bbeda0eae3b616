// The files that are generated from code, in whole or in part. `npm run tool -- docs` writes them, and generated-files.test.ts compares
// them with the repository.
import { readFileSync } from "node:fs";
import path from "node:path";
import { eventsDocument } from "@tradepost/api-description";
import { apiDescription, apiDescriptionText } from "./api-description.ts";
import { chartSchema } from "./chart-schema.ts";
import { generateClient } from "./client/generate-client.ts";
import { ROOT } from "./root.ts";
import { settingsTables } from "./settings-tables.ts";

export function generatedFiles(): Map<string, string> {
  const description = apiDescription();
  return new Map([
    ["docs/events.md", eventsDocument()],
    ["docs/openapi.json", apiDescriptionText()],
    ...inFolder("packages/client/src/generated", generateClient(description)),
    ...settingsTables().map(([page, table]): [string, string] =>
      withinFile(page, /^\| setting .*\n(?:\|.*\n)+/m, table),
    ),
    withinFile("docs/performance.md", /^\| counted .*\n(?:\|.*\n)+/m, eventCostsTable()),
    ...versions(),
    exampleImage(),
    chartSchema(),
  ]);
}

function inFolder(folder: string, files: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]);
}

/** Updates the copies of package.json's version, except those in other packages, which releases.test.ts compares. */
function versions(): [string, string][] {
  const { version } = JSON.parse(textOf("package.json")) as { version: string };
  return [
    withinFile(
      "deploy/kubernetes/chart/Chart.yaml",
      /^version: .*\nappVersion: .*\n/m,
      `version: ${version}\nappVersion: ${version}\n`,
    ),
    withinFile(
      "packages/client/src/version.ts",
      /^export const VERSION = .*\n/m,
      `export const VERSION = "${version}";\n`,
    ),
  ];
}

type Costs = Readonly<Record<string, number>>;

/** Shows the numbers that tests/stories/cost-of-an-event.test.ts compares with what it counts. */
function eventCostsTable(): string {
  const costs = JSON.parse(textOf("tools/checks/event-costs.json")) as Readonly<Record<string, Costs>>;
  const columns = Object.values(costs).map(rowsByService);
  const names = [...new Set(columns.flatMap((column) => Object.keys(column)))].sort();
  return [
    `| counted | ${Object.keys(costs).join(" | ")} |`,
    `|---${"|---".repeat(columns.length)}|`,
    ...names.map((name) => `| ${name} | ${columns.map((column) => column[name] ?? "").join(" | ")} |`),
    "",
  ].join("\n");
}

/** Adds up the rows of a service's tables. */
function rowsByService(costs: Costs): Costs {
  const sums: Record<string, number> = {};
  for (const [name, cost] of Object.entries(costs)) {
    const sum = name.startsWith("rows: ") ? name.replace(/\..*/, "") : name;
    sums[sum] = Math.round(10 * ((sums[sum] ?? 0) + cost)) / 10;
  }
  return sums;
}

/** Copies the broker's image from docker-compose.yml to the example for Kubernetes. */
function exampleImage(): [string, string] {
  const place = /(?<= image: )rabbitmq:\S+/;
  const [image] = place.exec(textOf("docker-compose.yml")) ?? [];
  if (image === undefined) throw new Error("docker-compose.yml has no image of RabbitMQ");
  return withinFile("deploy/kubernetes/examples/operators.yaml", place, image);
}

/** @throws an Error if no part matches. */
function withinFile(file: string, part: RegExp, generated: string): [string, string] {
  const text = textOf(file);
  if (!part.test(text)) throw new Error(`${file} has no place for what is generated: ${part}`);
  return [file, text.replace(part, () => generated)];
}

function textOf(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}
