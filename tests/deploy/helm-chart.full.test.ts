// Helm renders deploy/kubernetes/chart: each object is valid for its kind, each pod gets the settings and secrets that its program
// reads, is hardened, probed and has the time to stop. The test needs no cluster.
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { settings as content } from "@tradepost/content/config";
import { ROOT, SERVICES } from "@tradepost/devstack";
import { settings as gateway } from "@tradepost/gateway/config";
import { STOP_MS } from "@tradepost/gateway/service";
import { settings as orders } from "@tradepost/orders/config";
import { migrationSettings, readSettings } from "@tradepost/runtime";
import { settings as webhooks } from "@tradepost/webhooks/config";
import { stopTime } from "@tradepost/webhooks/service";
import { COMPOSE_FILE, parseCompose } from "../support/compose-file.ts";
import { environmentOf, finalImage } from "../support/dockerfile.ts";
import {
  CHART,
  describeWithHelm,
  faultsOf,
  helm,
  type KubernetesObject,
  makeSecrets,
  objectsIn,
  ofKind,
  type PodTemplate,
  podTemplatesOf,
  renderChart,
} from "../support/kubernetes.ts";

const SCHEMAS = { gateway, orders, content, webhooks };
/** Node itself and the commands of ops read it. */
const NO_SETTINGS = ["NODE_EXTRA_CA_CERTS"];
const HOLDS_SECRET = /_SECRETS?$|_KEYS?$|_KEY_ID$|(DATABASE|AMQP|REDIS|MANAGEMENT)_URL$/;
/** The default for services that set no time (packages/runtime/src/run-service.ts). */
const STOP_MS_DEFAULT = 15_000;
const EXAMPLE = path.join(CHART, "ci/example-values.yaml");
const VALUES: Readonly<Record<string, string[]>> = {
  "its own values": [],
  "the example values": ["--values", EXAMPLE],
};
const secrets = makeSecrets(
  ...["--postgres", "{service}.postgres.internal:5432", "--management", "http://rabbitmq.internal:15672"],
  ...["--amqp", "node1.internal:5671,node2.internal:5671", "--amqps"],
);
const directory = mkdtempDisposableSync(path.join(os.tmpdir(), "helm-chart-"));
writeFileSync(path.join(directory.path, "ca.crt"), "-----BEGIN CERTIFICATE-----\n");
afterAll(() => directory.remove());

describeWithHelm.each(Object.entries(VALUES))("the chart with %s", (name, values) => {
  let objects: KubernetesObject[];
  beforeAll(async () => {
    objects = await renderChart(...values);
  });
  const pods = () => podTemplatesOf(objects);
  const services = () => SERVICES.map((service) => podOf(service, objects));

  test("has no fault that Helm finds, and objects that are valid for their kinds, each once", async () => {
    await expect(helm("lint", CHART, "--strict", ...values)).resolves.toContain("0 chart(s) failed");
    await expect(faultsOf(objects)).resolves.toEqual([]);
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
  });

  test.each(SERVICES)(
    "gives %s the settings that it requires, no unknown one, and values that it accepts",
    (service) => {
      const pod = podOf(service, objects);
      const given = Object.keys(ownOf(pod));
      expect(
        given.filter((one) => ![...Object.keys(SCHEMAS[service].shape), ...NO_SETTINGS].includes(one)),
      ).toEqual([]);
      const settings = readSettings(SCHEMAS[service], environmentIn(pod));
      expect(settings).toMatchObject({
        HOST: "0.0.0.0",
        PORT: 8080,
        LOG_LEVEL: "info",
        DRAIN_IDLE_MS: 10_000,
      });
    },
  );

  test.each(SERVICES)("migrates the database of %s as its owner, in a Job", (service) => {
    const migration = podOf(`${service}-migrate`, objects);
    expect(migration.owner.kind).toBe("Job");
    expect(migration.spec.containers).toMatchObject([
      { command: ["node", "dist/migrate.js"], image: podOf(service, objects).spec.containers[0].image },
    ]);
    expect(Object.keys(migrationSettings(service).shape)).toEqual(
      expect.arrayContaining(Object.keys(ownOf(migration))),
    );
    const environment = environmentIn(migration);
    readSettings(migrationSettings(service), environment);
    const owner = new URL(environment[`${service.toUpperCase()}_OWNER_DATABASE_URL`] ?? "");
    expect(owner.username).toBe(service);
    expect(JSON.stringify(environmentIn(podOf(service, objects)))).not.toContain(owner.password);
  });

  test("has no secret itself", () => {
    const literals = pods().flatMap(({ spec }) =>
      spec.containers[0].env.filter((one: Variable) => one.value),
    );
    expect(literals.filter((variable: Variable) => HOLDS_SECRET.test(variable.name))).toEqual([]);
    expect(objects.filter(({ kind }) => kind === "Secret" || kind === "ConfigMap")).toEqual([]);
  });

  test("hardens each pod by the Pod Security Standard restricted, without a token", () => {
    expect(pods().length).toBeGreaterThanOrEqual(8);
    for (const { owner, spec } of pods()) {
      expect({ owner: owner.metadata.name, ...spec }).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            },
            resources: {
              requests: { cpu: expect.any(String), memory: expect.any(String) },
              limits: { memory: expect.any(String) },
            },
          },
        ],
      });
      for (const field of ["hostNetwork", "hostPID", "hostIPC"]) expect(spec[field]).toBeUndefined();
    }
  });

  test("lets only the files of media and of exports be written", () => {
    const writable = pods().flatMap(({ component, spec }) =>
      (spec.containers[0].volumeMounts ?? [])
        .filter((mount: Mount) => !mount.readOnly)
        .map(({ mountPath }: Mount) => `${component} ${mountPath}`),
    );
    expect(writable).toEqual(name === "its own values" ? ["content /var/lib/tradepost"] : ["ops /tmp"]);
    for (const { spec } of pods()) {
      const mounted = (spec.containers[0].volumeMounts ?? []).map((mount: Mount) => mount.name);
      expect((spec.volumes ?? []).map((volume: Mount) => volume.name).toSorted()).toEqual(mounted.toSorted());
    }
  });

  test("restarts only processes that hang, never for a database or a migration", () => {
    for (const { owner, spec } of services()) {
      const [{ ports, startupProbe, livenessProbe, readinessProbe }] = spec.containers;
      const probe = { httpGet: { path: "/healthz", port: "http" } };
      expect([startupProbe, livenessProbe]).toMatchObject([probe, probe]);
      expect(readinessProbe).toMatchObject({ httpGet: { path: "/readyz", port: "http" } });
      expect(ports).toContainEqual({ name: "http", containerPort: 8080 });
      // Enough for the start of Node on a busy machine and for the check of a database.
      expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(300);
      expect(readinessProbe.timeoutSeconds).toBeGreaterThan(2);
      expect(owner.spec.progressDeadlineSeconds).toBeGreaterThanOrEqual(3600);
    }
  });

  test("gives a pod that stops the time for what is in progress, attempts included", () => {
    for (const pod of services()) {
      const { DRAIN_IDLE_MS, WEBHOOKS_TIMEOUT_MS = 10_000 } = environmentIn(pod);
      const webhooksMs = stopTime({ WEBHOOKS_TIMEOUT_MS: Number(WEBHOOKS_TIMEOUT_MS) });
      const stopMs = { gateway: STOP_MS, webhooks: webhooksMs }[pod.component] ?? STOP_MS_DEFAULT;
      const neededMs = Number(DRAIN_IDLE_MS) + stopMs;
      expect([pod.component, pod.spec.terminationGracePeriodSeconds * 1_000 > neededMs]).toEqual([
        pod.component,
        true,
      ]);
    }
  });

  test("spreads replicas, replaces them without a gap, and keeps them while nodes are drained", () => {
    for (const { owner, labels, spec } of services()) {
      expect(owner.spec.replicas).toBeGreaterThan(1);
      const budgets = ofKind("PodDisruptionBudget", objects).filter((budget) =>
        selects(budget.spec.selector.matchLabels, labels),
      );
      expect(budgets).toMatchObject([{ spec: { maxUnavailable: 1 } }]);
      const keys = spec.topologySpreadConstraints.map((rule: { topologyKey: string }) => rule.topologyKey);
      expect(keys.toSorted()).toEqual(["kubernetes.io/hostname", "topology.kubernetes.io/zone"]);
      expect(owner.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    }
  });

  test("selects the pods of one component with each selector", () => {
    for (const { metadata, spec } of ofKind("Service", objects)) {
      const selected = pods().filter(({ labels }) => selects(spec.selector, labels));
      expect(selected.map(({ owner }) => owner.metadata.name)).toEqual([metadata.name]);
    }
    for (const { spec } of ofKind("Deployment", objects))
      expect(selects(spec.selector.matchLabels, spec.template.metadata.labels)).toBe(true);
  });
});

describeWithHelm("the chart", () => {
  const example = () => renderChart("--values", EXAMPLE);

  test("has images that deploy/Dockerfile builds", async () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
    const images = podTemplatesOf(await example()).map(({ spec }) => spec.containers[0].image);
    expect(new Set(images)).toEqual(
      new Set([...SERVICES, "ops"].map((name) => `registry.example.com/shop/tradepost-${name}:${version}`)),
    );
  });

  test("has the dashboard, the client and the media where docker-compose.yml has them", async () => {
    const { services } = parseCompose(readFileSync(COMPOSE_FILE, "utf8"));
    const objects = await renderChart();
    for (const [service, name] of [
      ["gateway", "DASHBOARD_DIR"],
      ["gateway", "CLIENT_PACKAGE_FILE"],
      ["gateway", "METRICS_PORT"],
      ["content", "CONTENT_MEDIA_DIR"],
    ] as const) {
      const value = services[service]?.environment[name];
      expect([name, value]).toEqual([name, expect.any(String)]);
      expect(podOf(service, objects).spec.containers[0].env).toContainEqual({ name, value });
    }
  });

  test("writes large numbers in digits, and keeps the volume of media", async () => {
    const { env } = podOf("content", await example()).spec.containers[0];
    expect(env).toContainEqual({ name: "CONTENT_MEDIA_PIXELS_MAX", value: "60000000" });
    const [claim] = ofKind("PersistentVolumeClaim", await renderChart());
    expect(claim?.metadata.annotations).toEqual({ "helm.sh/resource-policy": "keep" });
  });

  test("leaves the number of pods to an autoscaler if replicas is null", async () => {
    const objects = await renderChart("--set", "webhooks.replicas=null");
    expect(podOf("webhooks", objects).owner.spec.replicas).toBeUndefined();
    expect(ofKind("PodDisruptionBudget", objects)).toHaveLength(SERVICES.length);
  });

  test.each([
    ["gatway.replicas=3", "additional properties 'gatway' not allowed"],
    ['content.replicas="two"', "at '/content/replicas': got string, want integer"],
    ["gateway.settings.PROXY_HOP=1", "additional properties 'PROXY_HOP' not allowed"],
    ['gateway.settings.TOKEN_SIGNING_KEYS="a:b"', "additional properties 'TOKEN_SIGNING_KEYS' not allowed"],
    ['content.mediaVolume.accessMode="Any"', "value must be one of 'ReadWriteMany', 'ReadWriteOnce'"],
    ['gateway.existingSecret=""', "at '/gateway/existingSecret'"],
    ['content.mediaVolume.accessMode="ReadWriteOnce"', "content.replicas: a volume with ReadWriteOnce"],
    ["ingress.enabled=true", "ingress.hosts: name at least one host"],
  ])("refuses %s: %s", async (value, message) => {
    await expect(renderChart("--set-json", value)).rejects.toThrow(message);
  });
});

describe("the examples for Kubernetes", () => {
  const examples = (name: string) =>
    objectsIn(readFileSync(path.join(ROOT, "deploy/kubernetes/examples", name), "utf8"));

  test("have network policies that are valid, and each reaches the internet only for webhooks and a bucket", async () => {
    const policies = examples("network-policies.yaml");
    await expect(faultsOf(policies)).resolves.toEqual([]);
    const open = policies.filter(({ spec }) => JSON.stringify(spec.egress ?? []).includes('"0.0.0.0/0"'));
    expect(open.map(({ metadata }) => metadata.name)).toEqual(["tradepost-receivers", "tradepost-bucket"]);
    for (const { spec } of policies)
      for (const { to } of spec.egress ?? []) expect(to.length).toBeGreaterThan(0);
  });

  test("have the broker's users, permissions and exchanges of platform.json", () => {
    const objects = examples("operators.yaml");
    const platform = JSON.parse(readFileSync(path.join(ROOT, "deploy/rabbitmq/platform.json"), "utf8"));
    const userOf = ({ spec }: KubernetesObject) => {
      const user = ofKind("User", objects).find(({ metadata }) => metadata.name === spec.userReference.name);
      return secrets[user?.spec.importCredentialsSecret.name]?.username;
    };
    for (const [kind, expected] of [
      ["Permission", platform.permissions],
      ["TopicPermission", platform.topic_permissions],
    ])
      expect(
        ofKind(kind, objects).map((one) => ({
          user: userOf(one),
          vhost: one.spec.vhost,
          ...one.spec.permissions,
        })),
      ).toEqual(expected);
    expect(
      ofKind("Exchange", objects).map(({ spec: { name, vhost, type, durable, autoDelete } }) => ({
        ...{ name, vhost, type, durable, auto_delete: autoDelete, internal: false, arguments: {} },
      })),
    ).toEqual(platform.exchanges);
  });

  test("have the database roles of create-roles.sql, with the passwords of make-secrets.mjs", () => {
    const sql = readFileSync(path.join(ROOT, "deploy/postgres/create-roles.sql"), "utf8");
    const [cluster] = ofKind("Cluster", examples("operators.yaml"));
    const roles: Role[] = cluster?.spec.managed.roles ?? [];
    for (const service of SERVICES) {
      const [, list = ""] = new RegExp(`when '${service}' then array\\[(.*)\\]`).exec(sql) ?? [];
      const actsAs = list.split(", ").map((role) => role.slice(1, -1));
      const login = roles.find(({ name }) => name === `${service}_login`);
      expect(login).toMatchObject({ login: true, inherit: false, inRoles: actsAs });
      for (const name of actsAs) expect(roles).toContainEqual({ name, ensure: "present", login: false });
      const owner = roles.find(({ name }) => name === service);
      expect(owner).toMatchObject({ login: true, createrole: false });
      for (const role of [owner, login])
        expect(secrets[role?.passwordSecret?.name ?? ""]?.username).toBe(role?.name);
    }
  });
});

interface Mount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
}

interface Role {
  readonly name: string;
  readonly passwordSecret?: { readonly name: string };
}

function selects(selector: Record<string, string>, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}

function podOf(component: string, objects: readonly KubernetesObject[]): PodTemplate {
  const [found, ...others] = podTemplatesOf(objects).filter((pod) => pod.component === component);
  if (found === undefined || others.length > 0) throw new Error(`there is not one pod of ${component}`);
  return found;
}

/** Returns the pod's own variables: first from its Secret, then from its `env`. */
function ownOf({ spec }: PodTemplate): Record<string, string> {
  const [{ env, envFrom }] = spec.containers;
  const named = env.map(({ name, value = "" }: Variable) => [
    name,
    value.replace(/^\/etc\/tradepost\/[^/]+\/ca\.crt$/, path.join(directory.path, "ca.crt")),
  ]);
  return { ...secrets[envFrom[0].secretRef.name], ...Object.fromEntries(named) };
}

/** Returns all variables of the container. The image's precede its own. */
function environmentIn(pod: PodTemplate): Record<string, string> {
  return { ...environmentOf(finalImage()), ...ownOf(pod) };
}
