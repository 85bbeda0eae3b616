// The chart asks operators for exactly the roles in deploy/postgres, the users, permissions and exchanges in deploy/rabbitmq, and the
// rules and dashboards in deploy/observability. Its Secrets are the ones that make-secrets.mjs prints.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { SERVICES } from "@tradepost/devstack";
import { parse } from "yaml";
import { OBSERVABILITY } from "./support/alert-rules.ts";
import { ROOT } from "./support/compose-file.ts";
import { hasHelm, renderChart } from "./support/helm.ts";
import { type KubernetesObject, objectNamed, ofKind, podTemplatesOf } from "./support/kubernetes-objects.ts";
import { makeSecrets } from "./support/make-secrets.ts";

interface PlatformFile {
  readonly permissions: readonly ({ user: string } & Record<
    "vhost" | "configure" | "write" | "read",
    string
  >)[];
  readonly topic_permissions: readonly ({ user: string } & Record<"exchange" | "write" | "read", string>)[];
  readonly exchanges: readonly ({ name: string; type: string; durable: boolean } & Record<string, unknown>)[];
}

const describeWithHelm = hasHelm ? describe : describe.skip;
const platform = JSON.parse(
  readFileSync(path.join(ROOT, "deploy/rabbitmq/platform.json"), "utf8"),
) as PlatformFile;
const rendered: Record<"operators" | "high-availability", KubernetesObject[]> = {
  operators: [],
  "high-availability": [],
};

beforeAll(async () => {
  if (!hasHelm) return;
  rendered.operators = await renderChart("operators");
  rendered["high-availability"] = await renderChart("high-availability");
});

describeWithHelm.each(["operators", "high-availability"] as const)("with %s-values.yaml", (values) => {
  const objects = () => rendered[values];
  const secrets = makeSecrets(values);

  test("every Secret that an object names is made, with the keys that it needs", () => {
    for (const { spec } of podTemplatesOf(objects())) {
      const references = spec.containers.flatMap(({ env }) =>
        env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []),
      );
      for (const { name, key, optional } of references.filter(({ name }) => name !== "tradepost-test"))
        if (optional !== true)
          expect([name, key, secrets[name]?.[key]]).toEqual([name, key, expect.any(String)]);
    }
    for (const { spec } of ofKind("User", objects()))
      expect(Object.keys(secrets[spec.importCredentialsSecret.name] ?? {})).toEqual(["username", "password"]);
  });

  test.each([...SERVICES, "ops"])("docs/kubernetes.md lists the keys of the Secret of %s", (component) => {
    const page = readFileSync(path.join(ROOT, "docs/kubernetes.md"), "utf8");
    const [, keys = ""] = new RegExp(`^\\| \`tradepost-${component}\` \\| (.*?) \\|`, "m").exec(page) ?? [];
    const addresses = SERVICES.map((service) => `${service.toUpperCase()}_DATABASE_URL`);
    const listed =
      keys.replace("<SERVICE>_DATABASE_URL", addresses.join(" ")).match(/[A-Z][A-Z0-9_]+/g) ?? [];
    const read = podTemplatesOf(objects())
      .flatMap(({ spec }) => spec.containers.flatMap(({ env }) => env))
      .filter(({ valueFrom }) => valueFrom?.secretKeyRef.name === `tradepost-${component}`)
      .map(({ name }) => name);
    // Only with a bucket.
    const always = (names: readonly string[]) => names.filter((name) => !name.startsWith("CONTENT_S3_"));
    expect(always(listed).toSorted()).toEqual([...new Set(always(read))].toSorted());
  });

  test.each(SERVICES)(
    "%s has a database of its own, whose roles have the names and passwords of its Secrets",
    (service) => {
      const database = objectNamed("Database", `tradepost-${service}`, objects());
      expect(database.spec).toMatchObject({ name: service, owner: service });
      const cluster = objectNamed("Cluster", database.spec.cluster.name, objects());
      const upper = service.toUpperCase();
      const addresses = [
        secrets[`tradepost-${service}`]?.[`${upper}_DATABASE_URL`],
        secrets[`tradepost-${service}-owner`]?.[`${upper}_OWNER_DATABASE_URL`],
        secrets["tradepost-ops"]?.[`${upper}_DATABASE_URL`],
      ];
      for (const address of addresses) {
        const { hostname, pathname, username, password } = new URL(address ?? "");
        expect([hostname, pathname]).toEqual([`${cluster.metadata.name}-rw`, `/${service}`]);
        const role = cluster.spec.managed.roles.find(({ name }: { name: string }) => name === username);
        expect(secrets[role.passwordSecret.name]).toEqual({ username, password });
      }
    },
  );

  test.each(SERVICES)("the roles of %s equal create-roles.sql", (service) => {
    const sql = readFileSync(path.join(ROOT, "deploy/postgres/create-roles.sql"), "utf8");
    const [, list = ""] = new RegExp(`when '${service}' then array\\[(.*)\\]`).exec(sql) ?? [];
    const actsAs = [...list.matchAll(/'(\w+)'/g)].map(([, role = ""]) => role);
    expect(actsAs.length).toBeGreaterThan(0);
    const clusterName = objectNamed("Database", `tradepost-${service}`, objects()).spec.cluster.name;
    const { roles } = objectNamed("Cluster", clusterName, objects()).spec.managed;
    const named = (name: string) => roles.find((role: { name: string }) => role.name === name);
    expect(named(service)).toMatchObject({ login: true, createrole: false });
    for (const role of actsAs) expect(named(role)).toEqual({ name: role, ensure: "present", login: false });
    expect(named(`${service}_login`)).toMatchObject({ login: true, inherit: false, inRoles: actsAs });
  });

  test("every pod that uses Postgres trusts the authority of its cluster", () => {
    for (const service of SERVICES) {
      const cluster = objectNamed("Database", `tradepost-${service}`, objects()).spec.cluster.name;
      for (const { component, spec } of podTemplatesOf(objects())) {
        if (component !== service && component !== `${service}-migrate`) continue;
        expect([component, spec.volumes?.[0]]).toEqual([
          component,
          {
            name: "postgres-ca",
            secret: { secretName: `${cluster}-ca`, items: [{ key: "ca.crt", path: "ca.crt" }] },
          },
        ]);
      }
    }
  });

  test("users and permissions of the broker equal platform.json", () => {
    const userOf = (spec: { userReference: { name: string } }) => {
      const user = objectNamed("User", spec.userReference.name, objects());
      return secrets[user.spec.importCredentialsSecret.name]?.username;
    };
    const permissions = ofKind("Permission", objects()).map(({ spec }) => ({
      user: userOf(spec),
      vhost: spec.vhost,
      ...spec.permissions,
    }));
    expect(permissions).toEqual(expect.arrayContaining(platform.permissions.slice()));
    expect(permissions.length).toBe(platform.permissions.length);
    const topics = ofKind("TopicPermission", objects()).map(({ spec }) => ({
      user: userOf(spec),
      vhost: spec.vhost,
      ...spec.permissions,
    }));
    expect(topics).toEqual(expect.arrayContaining(platform.topic_permissions.slice()));
    expect(topics.length).toBe(platform.topic_permissions.length);
    const administrators = ofKind("User", objects()).filter(({ spec }) => spec.tags !== undefined);
    expect(administrators.map(({ metadata }) => metadata.name)).toEqual(["tradepost-operator"]);
  });

  test("the shared exchanges equal platform.json, and no queue is made", () => {
    const exchanges = ofKind("Exchange", objects()).map(({ spec }) => [
      spec.name,
      spec.vhost,
      spec.type,
      spec.durable,
    ]);
    const expected = platform.exchanges.map(({ name, vhost, type, durable }) => [name, vhost, type, durable]);
    expect(exchanges.toSorted()).toEqual(expected.toSorted());
    expect(ofKind("Queue", objects())).toEqual([]);
  });

  test("the broker's addresses name its cluster", () => {
    const [cluster] = ofKind("RabbitmqCluster", objects());
    for (const service of SERVICES) {
      const url = new URL(secrets[`tradepost-${service}`]?.AMQP_URL ?? "");
      expect([url.hostname, url.port, url.username]).toEqual([cluster?.metadata.name, "5672", service]);
    }
  });

  test("the alert rules equal deploy/observability", () => {
    const groups = ofKind("PrometheusRule", objects()).flatMap(({ spec }) => spec.groups);
    const files = readdirSync(path.join(OBSERVABILITY, "rules"));
    const expected = files.flatMap(
      (file) => parse(readFileSync(path.join(OBSERVABILITY, "rules", file), "utf8")).groups,
    );
    expect(groups).toEqual(expect.arrayContaining(expected));
    expect(groups.length).toBe(expected.length);
  });

  test("every service is scraped, under the label that the rules use", () => {
    for (const service of SERVICES) {
      const monitor = objectNamed("PodMonitor", `tradepost-${service}`, objects());
      const [endpoint] = monitor.spec.podMetricsEndpoints;
      expect(endpoint).toMatchObject({ path: "/metrics", honorLabels: true });
      expect(endpoint.relabelings).toEqual([{ targetLabel: "service", replacement: service }]);
      const [container] = objectNamed("Deployment", `tradepost-${service}`, objects()).spec.template.spec
        .containers;
      const port = container.ports.find(({ name }: { name: string }) => name === endpoint.port);
      expect(port.containerPort).toBe(service === "gateway" ? 9090 : 8080);
    }
  });
});

describeWithHelm("with operators-values.yaml", () => {
  test("the dashboards equal deploy/observability", () => {
    const maps = ofKind("ConfigMap", rendered.operators).filter(
      ({ metadata }) => metadata.labels?.grafana_dashboard === "1",
    );
    const shown = Object.assign({}, ...maps.map(({ data }) => data)) as Record<string, string>;
    for (const file of readdirSync(path.join(OBSERVABILITY, "dashboards"))) {
      const text = readFileSync(path.join(OBSERVABILITY, "dashboards", file), "utf8");
      expect(JSON.parse(shown[`tradepost-${file}`] ?? "null")).toEqual(JSON.parse(text));
    }
    expect(maps.length).toBe(4);
  });
});
