// Databases with exactly the roles that the chart requests from CloudNativePG, and none of the rights that a superuser's script
// would grant. Names are changed, because roles belong to the server, which all test files share.
import { createHash, randomBytes } from "node:crypto";
import { SERVICES, type ServiceName } from "@tradepost/devstack";
import { createTestDatabase, type TestServiceDatabase } from "@tradepost/testing";
import pg from "pg";
import { type KubernetesObject, objectNamed } from "./kubernetes-objects.ts";

interface ManagedRole {
  readonly name: string;
  readonly login: boolean;
  readonly inherit?: boolean;
  readonly createrole?: boolean;
  readonly inRoles?: readonly string[];
}

/** Creates what the operator creates from `objects`: the roles of each cluster, then the databases with their owners. */
export async function createClusterDatabases(
  objects: readonly KubernetesObject[],
): Promise<Record<ServiceName, TestServiceDatabase>> {
  const databases = SERVICES.map(
    async (service) => [service, await createDatabase(service, objects)] as const,
  );
  return Object.fromEntries(await Promise.all(databases)) as Record<ServiceName, TestServiceDatabase>;
}

async function createDatabase(
  service: ServiceName,
  objects: readonly KubernetesObject[],
): Promise<TestServiceDatabase> {
  const { name, owner, cluster } = objectNamed("Database", `tradepost-${service}`, objects).spec;
  const { roles } = objectNamed("Cluster", cluster.name, objects).spec.managed as { roles: ManagedRole[] };
  const database = await createTestDatabase();
  const suffix = randomBytes(6).toString("hex");
  const password = createHash("sha256").update(suffix).digest("hex");
  const own = roles.filter(({ name: role }) => role === owner || role.startsWith(`${service}_`));
  const groups = roles.filter(({ name: role }) => role.startsWith(`tradepost_${service}`));
  const renamed = (role: string) => `${role}_${suffix}`;
  await execute(database.url, [
    // Other test files may have these roles, or create them at the same moment.
    ...groups.map(
      (role) =>
        `do $$ begin create role ${role.name} nologin;
           exception when duplicate_object or unique_violation then null; end $$`,
    ),
    ...own.map(
      (role) =>
        `create role ${renamed(role.name)} login ${role.inherit === false ? "noinherit" : "inherit"} ` +
        `${role.createrole === true ? "createrole" : "nocreaterole"} password '${password}'` +
        (role.inRoles === undefined ? "" : ` in role ${role.inRoles.join(", ")}`),
    ),
    `alter database ${new URL(database.url).pathname.slice(1)} owner to ${renamed(owner)}`,
  ]);
  const urlOf = (role: string) =>
    Object.assign(new URL(database.url), { username: renamed(role), password }).href;
  return {
    ...database,
    ownerUrl: urlOf(owner),
    serviceUrl: urlOf(`${name}_login`),
    drop: async () => {
      await database.drop();
      const server = new URL(database.url);
      server.pathname = "/postgres";
      await execute(server.href, [`drop role ${own.map((role) => renamed(role.name)).join(", ")}`]);
    },
  };
}

async function execute(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
