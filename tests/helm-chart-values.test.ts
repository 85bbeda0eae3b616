// The chart accepts the services' settings in their ranges, and refuses everything else with a clear message.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { settings as content } from "@tradepost/content/config";
import { SERVICES, type ServiceName } from "@tradepost/devstack";
import { settings as gateway } from "@tradepost/gateway/config";
import { settings as orders } from "@tradepost/orders/config";
import { settings as webhooks } from "@tradepost/webhooks/config";
import type { z } from "zod";
import { CHART, hasHelm, helm, OPERATOR_APIS, renderChart } from "./support/helm.ts";
import { podTemplatesOf } from "./support/kubernetes-objects.ts";

const SCHEMAS: Record<ServiceName, z.ZodObject> = { gateway, orders, content, webhooks };
/** Settings that come from other values, from the image, or from the chart itself. */
const NOT_IN_SETTINGS = [
  ...[
    "HOST",
    "PORT",
    "METRICS_PORT",
    "DASHBOARD_DIR",
    "CLIENT_PACKAGE_FILE",
    "LOG_LEVEL",
    "DRAIN_IDLE_MS",
    "CANARY_EVERY_MS",
  ],
  ...[
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "POSTGRES_CA_FILE",
    "AMQP_CA_FILE",
    "POSTGRES_POOLER",
    "POSTGRES_PREPARE",
  ],
  ...["ORDERS_URL", "CONTENT_URL", "WEBHOOKS_URL", "WEBHOOKS_EGRESS_ALLOW", "CONTENT_MEDIA_DIR"],
  ...["CONTENT_S3_BUCKET", "CONTENT_S3_ENDPOINT", "CONTENT_S3_REGION", "CONTENT_S3_FORCE_PATH_STYLE"],
];
const describeWithHelm = hasHelm ? describe : describe.skip;
const testWithHelm = hasHelm ? test : test.skip;
const schema = JSON.parse(readFileSync(path.join(CHART, "values.schema.json"), "utf8"));

interface Setting {
  readonly type: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

describe.each(SERVICES)("the values of %s", (service) => {
  const settings = Object.entries<Setting>(schema.properties[service].properties.settings.properties);

  testWithHelm("have every setting of the service that is no secret and nothing else sets", async () => {
    const secret = await secretsOf(service);
    const own = Object.keys(SCHEMAS[service].shape).filter((name) => !NOT_IN_SETTINGS.includes(name));
    const open = own.filter((name) => !secret.includes(name));
    expect(settings.map(([name]) => name).toSorted()).toEqual(open.toSorted());
  });

  test("have the ranges of the service", () => {
    for (const [name, { type, minimum, maximum }] of settings) {
      expect([name, ["boolean", "integer", "string"].includes(type)]).toEqual([name, true]);
      const accepts = (value: unknown) => SCHEMAS[service].shape[name].safeParse(String(value)).success;
      if (type === "boolean") expect([name, accepts(true), accepts(false)]).toEqual([name, true, true]);
      if (type !== "integer") continue;
      const [low = -1, high = -1] = [minimum, maximum];
      expect([name, accepts(low), accepts(high)]).toEqual([name, true, true]);
      expect([name, accepts(low - 1), accepts(high + 1)]).toEqual([name, false, false]);
    }
  });
});

describeWithHelm("the chart refuses", () => {
  test.each([
    // Refused by values.schema.json.
    ["gatway.replicas=3", "additional properties 'gatway' not allowed"],
    ['content.replicas="two"', "at '/content/replicas': got string, want integer"],
    ["gateway.settings.PROXY_HOP=1", "additional properties 'PROXY_HOP' not allowed"],
    ["webhooks.settings.WEBHOOKS_TIMEOUT_MS=90000", "maximum: got 90,000, want 60,000"],
    ['webhooks.settings.WEBHOOKS_RETRY_SCHEDULE="1 minute"', "'1 minute' does not match pattern"],
    ['webhooks.egressAllow=["10.0.0.1"]', "at '/webhooks/egressAllow/0': '10.0.0.1' does not match pattern"],
    ['content.media.storage="nfs"', "value must be one of 'volume', 's3'"],
    ['logLevel="loud"', "at '/logLevel': value must be one of"],
    ['gateway.image.digest="latest"', "at '/gateway/image/digest'"],
    ['gateway.existingSecret=""', "at '/gateway/existingSecret': '' does not match pattern"],
    // Refused by templates/checks.yaml.
    ['content.media.s3.bucket=""', "content.media.s3.bucket: name the bucket"],
    [
      'content.media={"storage": "volume", "volume": {"accessMode": "ReadWriteOnce"}}',
      "content.replicas: a volume with ReadWriteOnce",
    ],
    ["webhooks.autoscaling.enabled=true", "webhooks.autoscaling.prometheusAddress: name the Prometheus"],
    [
      'orders.autoscaling={"enabled": true, "minReplicas": 9}',
      "orders.autoscaling: minReplicas is above maxReplicas",
    ],
    ["ingress.enabled=true", "ingress.hosts: name at least one host"],
    ["httpRoute.enabled=true", "httpRoute.parentRefs: name at least one Gateway"],
    [
      'postgres.operator={"enabled": true, "instances": 1}',
      "postgres.operator.synchronous: a synchronous standby needs",
    ],
    [
      'postgres.operator={"enabled": true, "parameters": {"max_connections": "100"}}',
      "max_connections: the pods may open 424 connections to tradepost-db",
    ],
    [
      'postgres={"operator": {"enabled": true}, "ca": {"existingSecret": "ca"}}',
      "postgres.ca: CloudNativePG makes the certificates",
    ],
    [
      'rabbitmq.ca={"existingSecret": "a", "existingConfigMap": "b"}',
      "rabbitmq.ca: name either existingSecret or existingConfigMap",
    ],
    ["rabbitmq.topology.enabled=true", "rabbitmq.topology.clusterName: name the RabbitmqCluster"],
    ["networkPolicy.postgres.ports=[]", "at '/networkPolicy/postgres/ports': minItems: got 0, want 1"],
    ["networkPolicy.postgres.to=[]", "networkPolicy.postgres.to: say where your Postgres is"],
    ["networkPolicy.rabbitmq.to=[]", "networkPolicy.rabbitmq.to: say where your RabbitMQ is"],
  ])("%s: %s", async (value, message) => {
    await expect(renderChart("minimal", value)).rejects.toThrow(message);
  });

  test.each([
    ["postgresql.cnpg.io/v1", "install CloudNativePG first, or set postgres.operator.enabled=false"],
    [
      "rabbitmq.com/v1beta1",
      "install RabbitMQ's cluster operator first, or set rabbitmq.operator.enabled=false",
    ],
    [
      "rabbitmq.com/v1beta1/TopicPermission",
      "install RabbitMQ's topology operator first, or set rabbitmq.topology.enabled=false",
    ],
    ["keda.sh/v1alpha1", "install KEDA first, or set webhooks.autoscaling.enabled=false"],
    ["monitoring.coreos.com/v1", "install the Prometheus operator first, or set monitoring."],
  ])("objects of an operator that the cluster does not have: %s", async (api, message) => {
    const file = path.join(CHART, "ci/operators-values.yaml");
    const others = OPERATOR_APIS.filter((other) => other !== api).flatMap((other) => [
      "--api-versions",
      other,
    ]);
    await expect(helm("template", "tradepost", CHART, "--values", file, ...others)).rejects.toThrow(message);
  });
});

/** Returns the settings that the chart takes from Secrets. */
async function secretsOf(service: ServiceName): Promise<string[]> {
  const pods = podTemplatesOf(await renderChart("minimal")).filter(({ component }) => component === service);
  const variables = pods.flatMap(({ spec }) => spec.containers.flatMap(({ env }) => env));
  return variables.filter(({ valueFrom }) => valueFrom !== undefined).map(({ name }) => name);
}
