// Schemas for the kinds of CloudNativePG 1.25 and newer and of RabbitMQ's operators, with only the fields that the chart uses. So
// a misspelt field in a template is found without a cluster. They were compared with the operators' own definitions when they
// were written.
import { z } from "zod";

const labels = z.record(z.string(), z.string());
const metadata = z.strictObject({ name: z.string(), labels, annotations: labels.optional() });
const named = z.strictObject({ name: z.string() });
const size = z.string().regex(/^\d+(Mi|Gi|Ti)$/);
const amount = z.union([z.string(), z.number()]);
const amounts = z.strictObject({ cpu: amount.optional(), memory: amount.optional() });
const resources = z.strictObject({ requests: amounts.optional(), limits: amounts.optional() });
const kind = (apiVersion: string, name: string, spec: z.ZodType) =>
  [
    `${apiVersion} ${name}`,
    z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(name), metadata, spec }),
  ] as const;

const CNPG = "postgresql.cnpg.io/v1";
const cluster = z.strictObject({
  instances: z.int().min(1),
  imageName: z.string().optional(),
  storage: z.strictObject({ size, storageClass: z.string().optional() }),
  resources,
  affinity: z.strictObject({ enablePodAntiAffinity: z.boolean(), topologyKey: z.string() }),
  postgresql: z.strictObject({
    parameters: z.record(z.string(), z.string()),
    synchronous: z
      .strictObject({
        method: z.enum(["any", "first"]),
        number: z.int(),
        dataDurability: z.enum(["required", "preferred"]),
      })
      .optional(),
  }),
  bootstrap: z.strictObject({ initdb: z.strictObject({ database: z.string(), owner: z.string() }) }),
  managed: z.strictObject({
    roles: z.array(
      z.strictObject({
        name: z.string(),
        ensure: z.enum(["present", "absent"]),
        login: z.boolean(),
        inherit: z.boolean().optional(),
        createrole: z.boolean().optional(),
        inRoles: z.array(z.string()).optional(),
        passwordSecret: named.optional(),
      }),
    ),
  }),
  // Part of extraSpec in the example for high availability.
  plugins: z
    .array(z.strictObject({ name: z.string(), isWALArchiver: z.boolean(), parameters: labels }))
    .optional(),
});
const database = z.strictObject({
  name: z.string(),
  owner: z.string(),
  cluster: named,
  databaseReclaimPolicy: z.enum(["delete", "retain"]),
});

const RABBITMQ = "rabbitmq.com/v1beta1";
const rabbitmqCluster = z.strictObject({
  replicas: z.int(),
  image: z.string(),
  persistence: z.strictObject({ storage: size, storageClassName: z.string().optional() }),
  resources,
  affinity: z.strictObject({ podAntiAffinity: z.unknown() }),
  rabbitmq: z.strictObject({ additionalConfig: z.string() }),
});
const ofCluster = { rabbitmqClusterReference: named };
const user = z.strictObject({
  ...ofCluster,
  tags: z.array(z.enum(["management", "policymaker", "monitoring", "administrator"])).optional(),
  importCredentialsSecret: named,
});
const permission = z.strictObject({
  ...ofCluster,
  vhost: z.string(),
  userReference: named,
  permissions: z.strictObject({ configure: z.string(), write: z.string(), read: z.string() }),
});
const topicPermission = z.strictObject({
  ...ofCluster,
  vhost: z.string(),
  userReference: named,
  permissions: z.strictObject({ exchange: z.string(), write: z.string(), read: z.string() }),
});
const exchange = z.strictObject({
  ...ofCluster,
  name: z.string(),
  vhost: z.string(),
  type: z.string(),
  durable: z.boolean(),
  autoDelete: z.boolean(),
});

export const operatorSchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries([
  kind(CNPG, "Cluster", cluster),
  kind(CNPG, "Database", database),
  kind(RABBITMQ, "RabbitmqCluster", rabbitmqCluster),
  kind(RABBITMQ, "User", user),
  kind(RABBITMQ, "Permission", permission),
  kind(RABBITMQ, "TopicPermission", topicPermission),
  kind(RABBITMQ, "Exchange", exchange),
]);
