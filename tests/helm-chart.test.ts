// helm renders deploy/kubernetes/chart for four sets of values: each object is valid for its kind, and each pod gets the settings
// and secrets that its program reads. The test needs no cluster.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { settings as content, migrationSettings as contentMigrations } from "@tradepost/content/config";
import { SERVICES } from "@tradepost/devstack";
import { settings as gateway, migrationSettings as gatewayMigrations } from "@tradepost/gateway/config";
import { settings as orders, migrationSettings as ordersMigrations } from "@tradepost/orders/config";
import { readSettings } from "@tradepost/runtime";
import { settings as webhooks, migrationSettings as webhooksMigrations } from "@tradepost/webhooks/config";
import { DASHBOARDS, RULES } from "./support/alert-rules.ts";
import { COMPOSE_FILE, parseCompose, ROOT } from "./support/compose-file.ts";
import { environmentOf, finalImage } from "./support/dockerfile.ts";
import { CHART, hasHelm, helm, objectsIn, renderChart, VALUE_SETS, type ValueSet } from "./support/helm.ts";
import {
  type KubernetesObject,
  ofKind,
  type PodTemplate,
  podTemplatesOf,
} from "./support/kubernetes-objects.ts";
import { faultsOf, typeFaultsOf } from "./support/kubernetes-schemas.ts";
import { makeSecrets, type Secrets } from "./support/make-secrets.ts";

const SCHEMAS = { gateway, orders, content, webhooks };
const MIGRATIONS = {
  gateway: gatewayMigrations,
  orders: ordersMigrations,
  content: contentMigrations,
  webhooks: webhooksMigrations,
};
/** Variables that Node itself reads. */
const NO_SETTINGS = ["NODE_EXTRA_CA_CERTS"];
const HOLDS_SECRET = /_SECRETS?$|_KEYS?$|_KEY_ID$|(DATABASE|AMQP|REDIS|MANAGEMENT)_URL$/;
const describeWithHelm = hasHelm ? describe : describe.skip;
const rendered = new Map<ValueSet, KubernetesObject[]>();
const secrets = new Map<ValueSet, Secrets>();
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(path.join(os.tmpdir(), "helm-chart-"));
  writeFileSync(path.join(directory, "ca.crt"), "-----BEGIN CERTIFICATE-----\n");
  if (!hasHelm) return;
  for (const values of VALUE_SETS) {
    rendered.set(values, await renderChart(values));
    secrets.set(values, makeSecrets(values));
  }
});
afterAll(() => rmSync(directory, { recursive: true }));

describeWithHelm.each(VALUE_SETS)("the chart with %s-values.yaml", (values) => {
  const objects = () => rendered.get(values) ?? [];
  const environmentIn = (pod: PodTemplate) => ({
    ...environmentOf(finalImage()),
    ...ownOf(pod, secrets.get(values) ?? {}),
  });

  test("has no fault that helm finds", async () => {
    const file = path.join(CHART, "ci", `${values}-values.yaml`);
    await expect(helm("lint", CHART, "--strict", "--values", file)).resolves.toContain("0 chart(s) failed");
  });

  test("has objects that are valid for their kinds, each once", async () => {
    const faults = await Promise.all(objects().map(faultsOf));
    expect(faults.flat()).toEqual([]);
    const names = objects().map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
  });

  test.each(SERVICES)("gives %s every setting that it requires, and no unknown one", (service) => {
    const { spec } = podOf(service, objects());
    const schema = Object.entries(SCHEMAS[service].shape);
    const known = [...schema.map(([setting]) => setting), ...NO_SETTINGS];
    const required = schema.filter(([, setting]) => !setting.safeParse(undefined).success);
    const given = spec.containers.flatMap(({ env }) => env.map(({ name }) => name));
    expect(given).toEqual([...new Set(given)]);
    expect(given.filter((setting) => !known.includes(setting))).toEqual([]);
    expect(required.map(([setting]) => setting).filter((setting) => !given.includes(setting))).toEqual([]);
  });

  test.each(SERVICES)("gives %s values that it accepts, with the Secrets of make-secrets.mjs", (service) => {
    const settings = readSettings(SCHEMAS[service], environmentIn(podOf(service, objects())));
    expect(settings).toMatchObject({ HOST: "0.0.0.0", PORT: 8080, LOG_LEVEL: "info", DRAIN_IDLE_MS: 10_000 });
  });

  test.each(SERVICES)("migrates the database of %s as its owner, in a Job", (service) => {
    const migration = podOf(`${service}-migrate`, objects());
    expect(migration.owner.kind).toBe("Job");
    expect(migration.spec.containers).toMatchObject([
      { command: ["node", "dist/migrate.js"], image: podOf(service, objects()).spec.containers[0]?.image },
    ]);
    const environment = environmentIn(migration);
    expect(Object.keys(MIGRATIONS[service].shape)).toEqual(
      expect.arrayContaining(Object.keys(ownOf(migration, secrets.get(values) ?? {}))),
    );
    readSettings(MIGRATIONS[service], environment);
    const owner = new URL(environment[`${service.toUpperCase()}_OWNER_DATABASE_URL`] ?? "");
    expect(owner.username).toBe(service);
    expect(JSON.stringify(environmentIn(podOf(service, objects())))).not.toContain(owner.password);
  });

  test("takes every secret from a Secret, and has none itself", () => {
    for (const { owner, spec } of podTemplatesOf(objects())) {
      const literals = spec.containers.flatMap(({ env }) =>
        env.filter(({ valueFrom }) => valueFrom === undefined),
      );
      expect([owner.metadata.name, literals.filter(({ name }) => HOLDS_SECRET.test(name))]).toEqual([
        owner.metadata.name,
        [],
      ]);
    }
    expect(ofKind("Secret", objects())).toEqual([]);
    expect(JSON.stringify(ofKind("ConfigMap", objects()))).not.toMatch(/:\/\/[^"\s]*:[^"\s]*@|password/i);
  });
});

describeWithHelm("the chart", () => {
  test("has only fields that exist, with values of their types", async () => {
    await expect(typeFaultsOf([...rendered.values()].flat())).resolves.toEqual([]);
  });

  test("has images that deploy/Dockerfile builds", () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
    const images = podTemplatesOf(rendered.get("operators") ?? []).flatMap(({ spec }) =>
      spec.containers.map(({ image }) => image),
    );
    expect(new Set(images)).toEqual(
      new Set([...SERVICES, "ops"].map((name) => `registry.example.com/shop/tradepost-${name}:${version}`)),
    );
  });

  test("is packed with the rules and dashboards of deploy/observability, which it links to", async () => {
    const packed = await helm("package", CHART, "--destination", directory);
    const archive = /saved it to: (.*\.tgz)/.exec(packed)?.[1] ?? "";
    const shown = objectsIn(
      await helm(
        ...["template", "tradepost", archive, "--api-versions", "monitoring.coreos.com/v1"],
        ...["--set-json", 'monitoring={"rules":{"enabled":true},"dashboards":{"enabled":true}}'],
        ...["--set-json", 'networkPolicy={"enabled":false}'],
      ),
    );
    const rules = ofKind("PrometheusRule", shown).flatMap(({ spec }) =>
      spec.groups.flatMap((group: { rules: unknown[] }) => group.rules),
    );
    expect(rules).toEqual(RULES);
    const dashboards = ofKind("ConfigMap", shown).flatMap(({ metadata, data = {} }) =>
      metadata.labels?.grafana_dashboard === "1" ? Object.values(data) : [],
    );
    expect(dashboards.map((text) => JSON.parse(text))).toEqual(DASHBOARDS);
  });

  test("has the dashboard, the client and the media where docker-compose.yml has them", () => {
    const { services } = parseCompose(readFileSync(COMPOSE_FILE, "utf8"));
    for (const [service, name] of [
      ["gateway", "DASHBOARD_DIR"],
      ["gateway", "CLIENT_PACKAGE_FILE"],
      ["gateway", "METRICS_PORT"],
      ["content", "CONTENT_MEDIA_DIR"],
    ] as const) {
      const [container] = podOf(service, rendered.get("private-network") ?? []).spec.containers;
      const value = services[service]?.environment[name];
      expect([name, value]).toEqual([name, expect.any(String)]);
      expect(container?.env).toContainEqual({ name, value });
    }
  });

  test("writes large numbers in digits", () => {
    const { spec } = podOf("content", rendered.get("high-availability") ?? []);
    expect(spec.containers[0]?.env).toContainEqual({ name: "CONTENT_MEDIA_PIXELS_MAX", value: "60000000" });
  });
});

function podOf(component: string, objects: readonly KubernetesObject[]): PodTemplate {
  const [found, ...others] = podTemplatesOf(objects).filter((pod) => pod.component === component);
  if (found === undefined || others.length > 0) throw new Error(`there is not one pod of ${component}`);
  return found;
}

/** Returns the variables of the pod. In the container, the image's variables precede them. */
function ownOf({ owner, spec }: PodTemplate, secrets: Secrets): Record<string, string> {
  const variables = spec.containers.flatMap(({ env }) => env);
  return Object.fromEntries(
    variables.flatMap(({ name, value, valueFrom }) => {
      const mounted = value?.replace(/^\/etc\/tradepost\/[^/]+\/ca\.crt$/, path.join(directory, "ca.crt"));
      if (valueFrom === undefined) return [[name, mounted ?? ""]];
      const { name: secret, key, optional = false } = valueFrom.secretKeyRef;
      const text = secrets[secret]?.[key];
      if (text === undefined && !optional) throw new Error(`${owner.metadata.name}: no ${key} in ${secret}`);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
