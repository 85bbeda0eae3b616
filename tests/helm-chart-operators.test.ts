// The chart's requirements for operators: databases with their roles; users, permissions and exchanges of the broker; and
// scrapes. Its Secrets are the ones that make-secrets.mjs prints.
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { SERVICES } from "@tradepost/devstack";
import { ROOT } from "./support/compose-file.ts";
import { hasHelm, renderChart } from "./support/helm.ts";
import { type KubernetesObject, objectNamed, ofKind, podTemplatesOf } from "./support/kubernetes-objects.ts";
import { makeSecrets } from "./support/make-secrets.ts";

const describeWithHelm = hasHelm ? describe : describe.skip;
const platform = JSON.parse(readFileSync(path.join(ROOT, "deploy/rabbitmq/platform.json"), "utf8"));
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
    // Leaves out the secrets that are needed only with a bucket.
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
        // The owner may not create roles. The login has the rights of a role only while it acts as the role.
        expect(role).toMatchObject(
          username === service ? { login: true, createrole: false } : { login: true, inherit: false },
        );
      }
    },
  );

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

  test("the users of the broker have the permissions of platform.json, and it has the exchanges; no queue is made", () => {
    const withUser = ({ spec }: KubernetesObject) => {
      const user = objectNamed("User", spec.userReference.name, objects());
      const { username } = secrets[user.spec.importCredentialsSecret.name] ?? {};
      return { user: username, vhost: spec.vhost, ...spec.permissions };
    };
    expect(ofKind("Permission", objects()).map(withUser)).toEqual(platform.permissions);
    expect(ofKind("TopicPermission", objects()).map(withUser)).toEqual(platform.topic_permissions);
    const administrators = ofKind("User", objects()).filter(({ spec }) => spec.tags !== undefined);
    expect(administrators.map(({ metadata }) => metadata.name)).toEqual(["tradepost-operator"]);
    const exchanges = ofKind("Exchange", objects()).map(
      ({ spec: { name, vhost, type, durable, autoDelete } }) => ({
        ...{ name, vhost, type, durable, auto_delete: autoDelete, internal: false, arguments: {} },
      }),
    );
    expect(exchanges).toEqual(platform.exchanges);
    expect(ofKind("Queue", objects())).toEqual([]);
  });

  test("the broker's addresses name its cluster", () => {
    const [cluster] = ofKind("RabbitmqCluster", objects());
    for (const service of SERVICES) {
      const url = new URL(secrets[`tradepost-${service}`]?.AMQP_URL ?? "");
      expect([url.hostname, url.port, url.username]).toEqual([cluster?.metadata.name, "5672", service]);
    }
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
