// Test helpers for services, packages and tools.
export { type ApiClient, apiClient, bearer, type ClientResponse } from "./api-client.ts";
export { type Authenticator, authenticator } from "./authenticator.ts";
export { captureMessages } from "./capture-messages.ts";
export { type Certificate, createAuthority, issueCertificate } from "./certificate-authority.ts";
export { CHEAP_COST, cheapHash } from "./cheap-hash.ts";
export { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
export { findWords } from "./find-words.ts";
export { freePort, isPortFree } from "./free-port.ts";
export { growthOf, LINEAR_GROWTH_MAX, type Repeated, repeated } from "./growth.ts";
export { checkKeyedPost, type KeyedPost } from "./keyed-post.ts";
export { connectMcp, type McpClient, type McpResult, mcpClients } from "./mcp-client.ts";
export { multiplyRows } from "./multiply-rows.ts";
export { numbersFrom } from "./numbers-from.ts";
export { rawRequest } from "./raw-request.ts";
export { readMetrics } from "./read-metrics.ts";
export { type Behaviour, type Received, type Receiver, startReceiver } from "./receiver.ts";
export { type LargeRead, recordStatements, type StatementRecorder } from "./record-statements.ts";
export { type ServiceProcess, startServiceProcess } from "./service-process.ts";
export { signedClient } from "./signed-client.ts";
export { type CollectedSpan, type CollectorBehaviour, startCollector } from "./start-collector.ts";
export { startTlsProxy, type TlsProxy } from "./start-tls-proxy.ts";
export { createTestBroker, type TestBroker } from "./test-broker.ts";
export { testCertificate } from "./test-certificate.ts";
export {
  createEmptyServiceDatabase,
  createServiceDatabase,
  createServiceTemplates,
  createTestDatabase,
  type TestDatabase,
  type TestServiceDatabase,
} from "./test-database.ts";
export { openTestPool } from "./test-pool.ts";
export { testChromium, testHelm, testPromtool, testSpin } from "./test-programs.ts";
export { testRedisUrl } from "./test-redis-url.ts";
export { until } from "./until.ts";
