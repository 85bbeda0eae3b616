// Rules that hold with every set of values: hardened pods, probes, disruption budgets, spread, time to stop, network policies,
// scaling.
import { beforeAll, describe, expect, test } from "@jest/globals";
import { SERVICES } from "@tradepost/devstack";
import { STOP_MS } from "@tradepost/gateway/service";
import { stopTime } from "@tradepost/webhooks/service";
import { hasHelm, renderChart, VALUE_SETS, type ValueSet } from "./support/helm.ts";
import {
  type KubernetesObject,
  objectNamed,
  ofKind,
  type PodTemplate,
  podTemplatesOf,
  selects,
} from "./support/kubernetes-objects.ts";
import { makeSecrets } from "./support/make-secrets.ts";

const describeWithHelm = hasHelm ? describe : describe.skip;
/** The default for services that set no time (packages/runtime/src/run-service.ts). */
const STOP_MS_DEFAULT = 15_000;
const rendered = new Map<ValueSet, KubernetesObject[]>();

beforeAll(async () => {
  if (!hasHelm) return;
  for (const values of VALUE_SETS) rendered.set(values, await renderChart(values));
});

describeWithHelm.each(VALUE_SETS)("with %s-values.yaml", (values) => {
  const objects = () => rendered.get(values) ?? [];
  const name = values === "private-network" ? "shop" : "tradepost";
  const pods = () => podTemplatesOf(objects());
  const policies = () => ofKind("NetworkPolicy", objects());
  const services = () =>
    SERVICES.map((service) => objectNamed("Deployment", `${name}-${service}`, objects()));

  test("each pod meets the Pod Security Standard restricted, and has no token", () => {
    expect(pods().length).toBeGreaterThan(8);
    for (const { owner, spec } of pods()) {
      expect({ owner: owner.metadata.name, ...spec }).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
      });
      for (const field of ["hostNetwork", "hostPID", "hostIPC"]) expect(spec[field]).toBeUndefined();
      for (const container of spec.containers)
        expect({ owner: owner.metadata.name, ...container }).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          },
          resources: {
            requests: { cpu: expect.any(String), memory: expect.any(String) },
            limits: { memory: expect.any(String) },
          },
        });
    }
  });

  test("only the files of media and of exports can be written", () => {
    const writable = pods().flatMap(({ component, spec }) =>
      spec.containers.flatMap(({ volumeMounts = [] }) =>
        volumeMounts
          .filter(({ readOnly = false }) => !readOnly)
          .map(({ mountPath }) => `${component} ${mountPath}`),
      ),
    );
    expect(["content /var/lib/tradepost", "ops /tmp"]).toEqual(expect.arrayContaining(writable));
    for (const { spec } of pods()) {
      const mounted = spec.containers.flatMap(({ volumeMounts = [] }) =>
        volumeMounts.map((mount) => mount.name),
      );
      expect((spec.volumes ?? []).map((volume) => volume.name).toSorted()).toEqual(mounted.toSorted());
    }
  });

  test("a probe restarts only processes that hang, never for a database or a migration", () => {
    for (const { metadata, spec } of services()) {
      const [container] = spec.template.spec.containers;
      const { startupProbe, livenessProbe, readinessProbe } = container;
      const probe = { httpGet: { path: "/healthz", port: "http" } };
      expect([metadata.name, startupProbe, livenessProbe]).toMatchObject([metadata.name, probe, probe]);
      expect(readinessProbe).toMatchObject({ httpGet: { path: "/readyz", port: "http" } });
      expect(container.ports).toContainEqual({ name: "http", containerPort: 8080 });
      // Enough for the start of Node on a busy machine and for the check of a database.
      expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(300);
      expect(readinessProbe.timeoutSeconds).toBeGreaterThan(2);
      expect(spec.progressDeadlineSeconds).toBeGreaterThanOrEqual(3600);
    }
  });

  test("a pod that stops has the time for what is in progress, attempts included", () => {
    for (const [at, { metadata, spec }] of services().entries()) {
      const pod = spec.template.spec;
      const variables = pod.containers[0].env as { name: string; value?: string }[];
      const settingOf = (setting: string) => variables.find((variable) => variable.name === setting)?.value;
      const timeoutMs = Number(settingOf("WEBHOOKS_TIMEOUT_MS") ?? 10_000);
      const stopMs = {
        gateway: STOP_MS,
        orders: STOP_MS_DEFAULT,
        content: STOP_MS_DEFAULT,
        webhooks: stopTime({ WEBHOOKS_TIMEOUT_MS: timeoutMs }),
      }[SERVICES[at] ?? "orders"];
      const neededMs = Number(settingOf("DRAIN_IDLE_MS")) + stopMs;
      expect([metadata.name, pod.terminationGracePeriodSeconds * 1_000 > neededMs]).toEqual([
        metadata.name,
        true,
      ]);
    }
  });

  test("replicas are spread, replaced without a gap, and kept while nodes are drained", () => {
    for (const { metadata, spec } of services()) {
      const scaled = [
        ...ofKind("HorizontalPodAutoscaler", objects()),
        ...ofKind("ScaledObject", objects()),
      ].find((scaler) => scaler.spec.scaleTargetRef.name === metadata.name);
      expect(scaled === undefined).toBe(spec.replicas !== undefined);
      const replicas = spec.replicas ?? scaled?.spec.minReplicas ?? scaled?.spec.minReplicaCount;
      const budgets = ofKind("PodDisruptionBudget", objects()).filter((budget) =>
        selects(budget.spec.selector, spec.template.metadata.labels),
      );
      expect([metadata.name, budgets.length]).toEqual([metadata.name, replicas > 1 ? 1 : 0]);
      for (const budget of budgets) expect(budget.spec.maxUnavailable).toBe(1);
      const keys = spec.template.spec.topologySpreadConstraints.map(
        (rule: { topologyKey: string }) => rule.topologyKey,
      );
      expect(keys.toSorted()).toEqual(["kubernetes.io/hostname", "topology.kubernetes.io/zone"]);
      if (replicas > 1) expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    }
  });

  test("selectors select the pods of their own component", () => {
    for (const service of ofKind("Service", objects())) {
      const selected = pods().filter(({ labels }) => selects({ matchLabels: service.spec.selector }, labels));
      expect(selected.map(({ owner }) => owner.metadata.name)).toEqual([service.metadata.name]);
    }
    for (const { metadata, spec } of ofKind("Deployment", objects()))
      expect([metadata.name, selects(spec.selector, spec.template.metadata.labels)]).toEqual([
        metadata.name,
        true,
      ]);
  });

  test("a policy denies what none allows, and each pod has one of its own", () => {
    for (const { component, labels } of pods()) {
      const own = policies().filter(({ spec }) => selects(spec.podSelector, labels));
      expect([component, own.length]).toEqual([component, 2]);
      for (const { spec } of own) expect(spec.policyTypes).toEqual(["Ingress", "Egress"]);
    }
    const deny = objectNamed("NetworkPolicy", `${name}-deny`, objects());
    expect([deny.spec.ingress, deny.spec.egress]).toEqual([undefined, undefined]);
  });

  test("no rule allows every peer, except to reach the gateway", () => {
    for (const { metadata, spec } of policies()) {
      const open = (spec.ingress ?? []).filter(({ from = [] }) => from.length === 0);
      const isGateway = metadata.name === `${name}-gateway` && values !== "private-network";
      expect([metadata.name, open.length]).toEqual([metadata.name, isGateway ? 1 : 0]);
      for (const { to = [], ports = [] } of spec.egress ?? [])
        expect([metadata.name, to.length > 0, ports.length > 0]).toEqual([metadata.name, true, true]);
    }
  });

  test.each(["orders", "content", "webhooks"])("only the gateway and the monitoring reach %s", (service) => {
    const { spec } = objectNamed("NetworkPolicy", `${name}-${service}`, objects());
    const peers = spec.ingress.flatMap(({ from }: { from: unknown[] }) => from);
    expect(peers).toEqual([
      { podSelector: { matchLabels: expect.objectContaining({ "app.kubernetes.io/component": "gateway" }) } },
      { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } },
    ]);
  });

  test("each pod may reach the ports of the addresses that it gets", () => {
    const secrets = makeSecrets(values);
    for (const { component, labels, spec } of pods()) {
      const own = policies().filter((policy) => selects(policy.spec.podSelector, labels));
      const ports = own.flatMap((policy) =>
        (policy.spec.egress ?? []).flatMap((rule: { ports: { port?: number }[] }) =>
          rule.ports.map(({ port }) => port),
        ),
      );
      const texts = spec.containers.flatMap(({ env }) =>
        env.flatMap(({ value, valueFrom }) =>
          value === undefined
            ? (secrets[valueFrom?.secretKeyRef.name ?? ""]?.[valueFrom?.secretKeyRef.key ?? ""] ?? [])
            : value,
        ),
      );
      const addresses = texts
        .flatMap((text) => text.match(/\b[a-z]+:\/\/[^,]+/g) ?? [])
        .map((text) => new URL(text));
      if (component !== "test") expect([component, addresses.length > 0]).toEqual([component, true]);
      for (const { protocol, hostname, port } of addresses)
        expect([component, protocol, hostname, ports]).toEqual([
          component,
          protocol,
          hostname,
          // The Service's port 80 is the pods' 8080.
          expect.arrayContaining([Number(port || 8080)]),
        ]);
    }
  });

  test("a service finds names, its database and the broker; only webhooks and buckets reach the internet", () => {
    for (const service of [...SERVICES, ...SERVICES.map((each) => `${each}-migrate`)]) {
      const { spec } = objectNamed("NetworkPolicy", `${name}-${service}`, objects());
      const ports: number[] = spec.egress.flatMap((rule: { ports: { port: number }[] }) =>
        rule.ports.map(({ port }) => port),
      );
      expect([service, ports.slice(0, 2)]).toEqual([service, [53, 53]]);
      const isPublic = JSON.stringify(spec.egress).includes('"0.0.0.0/0"');
      const hasBucket = values === "minimal" || values === "high-availability";
      expect([service, isPublic]).toEqual([
        service,
        service === "webhooks" || (service === "content" && hasBucket),
      ]);
    }
  });
});

describeWithHelm("scaling", () => {
  const scaler = () =>
    objectNamed("ScaledObject", "tradepost-webhooks", rendered.get("high-availability") ?? []);

  test("of webhooks goes by slots in use and the oldest waiting delivery, never by a queue or to 0", () => {
    const { minReplicaCount, triggers } = scaler().spec;
    expect(minReplicaCount).toBeGreaterThan(0);
    expect(triggers).toMatchObject([
      { type: "prometheus", name: "slots", metricType: "AverageValue" },
      { type: "prometheus", name: "oldest-waiting", metricType: "AverageValue" },
    ]);
    expect(JSON.stringify(triggers)).not.toMatch(/rabbitmq|queue/i);
  });

  test("takes the slots of a replica from WEBHOOKS_CONCURRENCY", () => {
    // Half of 400.
    expect(scaler().spec.triggers[0].metadata.threshold).toBe("200");
    expect(scaler().spec.triggers[1].metadata.query).toContain("400 * count");
  });
});

describeWithHelm("the operators' objects", () => {
  test("have room for the connections of all pods, while they are replaced too", () => {
    const clusters = ofKind("Cluster", rendered.get("high-availability") ?? []);
    const room = clusters.map(({ metadata, spec }) => [
      metadata.name,
      spec.postgresql.parameters.max_connections,
    ]);
    expect(room).toEqual([
      ["tradepost-gateway-db", String(40 + 13 * 32)],
      ["tradepost-orders-db", String(40 + 10 * 32)],
      ["tradepost-content-db", String(40 + 4 * 32)],
      ["tradepost-webhooks-db", String(40 + 21 * 32)],
    ]);
  });

  const objects = () => rendered.get("high-availability") ?? [];

  test("keep the data when the release is uninstalled", () => {
    const kept = ["Cluster", "Database", "RabbitmqCluster", "Exchange", "User", "PersistentVolumeClaim"];
    const all = [...objects(), ...(rendered.get("operators") ?? [])].filter(({ kind }) =>
      kept.includes(kind),
    );
    expect(all.length).toBeGreaterThan(20);
    for (const { metadata } of all)
      expect([metadata.name, metadata.annotations]).toEqual([
        metadata.name,
        { "helm.sh/resource-policy": "keep" },
      ]);
  });

  test("let only its own service, ops and the operator reach a database", () => {
    const { spec } = objectNamed("NetworkPolicy", "tradepost-orders-db", objects());
    const clients: PodTemplate[] = podTemplatesOf(objects()).filter(({ labels }) =>
      spec.ingress[0].from.some(({ podSelector }: { podSelector: object }) => selects(podSelector, labels)),
    );
    expect(clients.map(({ component }) => component).toSorted()).toEqual(["ops", "orders", "orders-migrate"]);
    expect(spec.policyTypes).toEqual(["Ingress"]);
  });
});
