import { environmentOf, type ServiceEnvironment } from "../src/platform/service-program.ts";

test("the services that send requests outside trust the extra authorities", () => {
  const environment = {
    settings: {},
    secrets: { gatewaySecrets: {} },
    serviceUrls: {},
    trustedCertificatesFile: "trusted.crt",
  } as unknown as ServiceEnvironment;
  const trusted = (["gateway", "orders", "content", "webhooks"] as const).filter(
    (service) => environmentOf(service, 1, environment).NODE_EXTRA_CA_CERTS === "trusted.crt",
  );
  expect(trusted).toEqual(["gateway", "webhooks"]);
});
