export {
  type ApiClient,
  apiClient,
  bearer,
  type ClientResponse,
  faultPaths,
  invalidFields,
  readMetrics,
  readPages,
  signedClient,
} from "./api-client.ts";
export { type Authenticator, authenticator, CHEAP_COST, cheapHash } from "./authenticator.ts";
export {
  type Certificate,
  createAuthority,
  issueCertificate,
  testCertificate,
} from "./certificate-authority.ts";
export { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
export { freePort, isPortFree } from "./free-port.ts";
export { growthOf, LINEAR_GROWTH_MAX, type Repeated, repeated } from "./growth.ts";
export { joinSockets, type LocalServer, listenLocally, startTlsProxy } from "./listen-locally.ts";
export { connectMcp, type McpClient, mcpClients } from "./mcp-client.ts";
export { multiplyRows } from "./multiply-rows.ts";
export { numbersFrom } from "./numbers-from.ts";
export { rawRequest } from "./raw-request.ts";
export { type Behaviour, type Received, type Receiver, startReceiver } from "./receiver.ts";
export { recordStatements, type StatementRecorder } from "./record-statements.ts";
export { readStatements, splitMessages } from "./recorded-statements.ts";
export { type ServiceProcess, startServiceProcess } from "./service-process.ts";
export { type CollectorBehaviour, startCollector } from "./start-collector.ts";
export { type OidcProvider, startOidcProvider } from "./start-oidc-provider.ts";
export { captureMessages, createTestBroker, requestManagement, type TestBroker } from "./test-broker.ts";
export {
  createEmptyServiceDatabase,
  createServiceDatabase,
  createServiceTemplates,
  createTestDatabase,
  findWords,
  openTestPool,
  type TestDatabase,
  type TestServiceDatabase,
  testRedisUrl,
} from "./test-database.ts";
export { until } from "./until.ts";
