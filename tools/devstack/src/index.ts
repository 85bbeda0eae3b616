// Starts and supervises the platform on one machine: for `npm start`, the tests and the other tools.
export { unpackedPackages } from "./debian/debian-packages.ts";
export { trustedCertificates } from "./platform/local-authority.ts";
export { makeTenants, type Tenant } from "./platform/make-tenants.ts";
export {
  answersOk,
  type ServiceProcess,
  serviceProcess,
  serviceProcesses,
} from "./platform/service-processes.ts";
export type { Stack } from "./platform/stack-file.ts";
export { migrateDatabases } from "./postgres/migrate-databases.ts";
export { createRolesAsOwner } from "./postgres/service-roles.ts";
export { type Holdable, holdable } from "./process/holdable.ts";
export { createKeeper } from "./process/keeper.ts";
export { claimPorts } from "./process/ports.ts";
export { runScript } from "./process/run-script.ts";
export type { Running } from "./process/running.ts";
export { onToldToStop } from "./process/stop-signals.ts";
export { createBrokerUsers } from "./rabbitmq/broker-users.ts";
export { startPrivateServers } from "./servers/private-servers.ts";
export { startTestServers, type TestServers } from "./servers/test-servers.ts";
export { readStackSecrets, type StackSecrets } from "./settings/stack-secrets.ts";
export { readStackSettings, SERVICES, type ServiceName, sameForAll } from "./settings/stack-settings.ts";
