// Starts and supervises the platform on one machine: for `npm start`, the tests and the other tools.
export { buildDashboard, packClient } from "./build/build.ts";
export { fetchFault, unpackedPackages } from "./debian/debian-packages.ts";
export { findPgbouncer, type PrivatePgbouncer, startPgbouncer } from "./pgbouncer/private-pgbouncer.ts";
export { receiverCertificate } from "./platform/authority.ts";
export {
  createTenants,
  setUpTenant,
  type TenantCredentials,
  withGateway,
} from "./platform/create-tenants.ts";
export type { PlatformFile } from "./platform/platform-file.ts";
export { environmentOf, respondsOk, serviceProgram } from "./platform/service-program.ts";
export { type Platform, type PlatformOptions, startPlatform } from "./platform/start-platform.ts";
export { createRolesAsOwner, createServiceRoles, migrateDatabases } from "./postgres/create-databases.ts";
export { execute, withConnection } from "./postgres/execute.ts";
export { provideBackupBinaries } from "./postgres/postgres-binaries.ts";
export { openPostgresServers } from "./postgres/postgres-servers.ts";
export { type ReplicatedPostgres, startReplicatedPostgres } from "./postgres/replicated-postgres.ts";
export { claimPorts } from "./process/ports.ts";
export { nearestOf, readProcessTimes, residentBytes } from "./process/proc.ts";
export type { RunningProcess } from "./process/program.ts";
export { onStopRequest, runScript, untilStopped } from "./process/run-script.ts";
export { findPrometheus } from "./prometheus/private-prometheus.ts";
export { createBrokerUsers } from "./rabbitmq/broker-users.ts";
export {
  type ClusterNode,
  prepareRabbitmqCluster,
  type RabbitmqCluster,
} from "./rabbitmq/private-cluster.ts";
export { startTestPostgres, startTestServers, type TestServers } from "./servers/test-servers.ts";
export { type PlatformSecrets, readPlatformSecrets } from "./settings/platform-secrets.ts";
export {
  forAllServices,
  forEachService,
  readPlatformSettings,
  readPrivatePlatformSettings,
  SERVICES,
  type ServiceName,
  temporaryDataDir,
} from "./settings/platform-settings.ts";
export { COMPILE_CACHE_DIR, ROOT } from "./settings/root.ts";
