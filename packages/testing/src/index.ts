// What tests of services and packages share: real servers of their own, a receiver, a client, patience.
export { type ApiClient, apiClient, bearer, type ClientResponse } from "./api-client.ts";
export {
  createServiceDatabase,
  createTestBroker,
  createTestDatabase,
  type TestBroker,
  type TestDatabase,
  type TestServiceDatabase,
} from "./backends.ts";
export { captureMessages } from "./capture-messages.ts";
export { type Certificate, createAuthority, issueCertificate } from "./certificate-authority.ts";
export { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
export { growthOf, LINEAR_GROWTH_MAX, type Repeated, repeated } from "./growth.ts";
export { rawRequest } from "./raw-request.ts";
export { type Behaviour, type Received, type Receiver, startReceiver } from "./receiver.ts";
export { testRedisUrl } from "./redis.ts";
export { signedClient } from "./signed-client.ts";
export { testCertificate } from "./test-certificate.ts";
export { until } from "./until.ts";
