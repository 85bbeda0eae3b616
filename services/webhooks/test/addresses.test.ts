// Deliveries are not sent to private addresses, whether the URL contains the address or a name that resolves to it. dns-rebinding.test.ts has more names.
import { addressGuard } from "../src/endpoint/address.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const { webhooks, receiver } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

test("addresses that are not allowed are refused at each attempt, as names and as IP addresses, and nothing is sent there", async () => {
  const tenant = webhooks.tenant();
  const { port } = new URL(receiver.url);
  const hosts = ["localhost", "127.0.0.1", "[::1]"];
  const subscriptions = await Promise.all(hosts.map((host) => tenant.subscribe(`https://${host}:${port}/`)));
  // The addresses were allowed when the subscriptions were created.
  await webhooks.restart({ WEBHOOKS_EGRESS_ALLOW: "" });
  await tenant.emit();
  const refused = { outcome: "address_refused", statusCode: null, responseBody: null };
  for (const { id } of subscriptions) {
    const { attempts } = await tenant.untilDelivery(id, "failed");
    expect(attempts).toMatchObject([1, 2].map((attempt) => ({ attempt, ...refused })));
  }
  expect(receiver.received).toEqual([]);
});

test("addresses are not known while the name server does not respond", async () => {
  const silence = Object.assign(new Error("no response"), { code: "EAI_AGAIN" });
  const guard = addressGuard([], (_name, _options, callback) => callback(silence, []));
  const found = new Promise((resolve) => guard.lookup("receiver.example", { all: true }, resolve));
  expect(await found).toBe(silence);
});
