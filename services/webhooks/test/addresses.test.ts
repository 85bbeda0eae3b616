// Deliveries are not sent to private addresses, whether the URL contains the address or a name that resolves to it.
import { describe, expect, test } from "@jest/globals";
import { AddressRefused, addressGuard } from "../src/endpoint/address.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

describe("addresses that are not allowed", () => {
  const { webhooks, receiver } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

  const lookUp = (guard: ReturnType<typeof addressGuard>, name: string, all: boolean) =>
    new Promise((resolve) => {
      guard.lookup(name, { all }, (error, found) => resolve(error ?? found));
    });

  test("are refused at each attempt, as names and as IP addresses, and nothing is sent there", async () => {
    const tenant = webhooks.tenant();
    const { port } = new URL(receiver.url);
    const ids: string[] = [];
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      ids.push((await tenant.subscribe(`https://${host}:${port}/`)).id);
    }
    // The addresses were allowed when the subscriptions were created.
    await webhooks.restart({ WEBHOOKS_EGRESS_ALLOW: "" });
    await webhooks.emit(tenant.tenantId);
    for (const id of ids) {
      const { attempts } = await tenant.untilDelivery(id, "failed");
      expect(attempts).toMatchObject(
        [1, 2].map((attempt) => ({
          attempt,
          outcome: "address_refused",
          statusCode: null,
          responseBody: null,
        })),
      );
    }
    expect(receiver.received).toEqual([]);
  });

  test.each([true, false])("are refused if a name resolves to them (all addresses: %s)", async (all) => {
    expect(await lookUp(addressGuard([]), "localhost", all)).toBeInstanceOf(AddressRefused);
    // One address that is not allowed is enough, since the name server chooses which one is used.
    expect(await lookUp(addressGuard(["203.0.113.0/24"]), "localhost", all)).toBeInstanceOf(AddressRefused);
  });

  test("are limited by the ranges that the operator allows", async () => {
    const guard = addressGuard(["127.0.0.0/8", "::1/128"]);
    expect(await lookUp(guard, "localhost", true)).toContainEqual({ address: "127.0.0.1", family: 4 });
    expect(guard.allowsHost("127.1.2.3")).toBe(true);
    expect(guard.allowsHost("[::1]")).toBe(true);
    expect(guard.allowsHost("10.0.0.1")).toBe(false);
    // Another address of the same machine, outside the allowed ranges.
    expect(guard.allowsHost("[::ffff:127.0.0.1]")).toBe(false);
  });

  test.each([true, false])("are not told from no address at all (all addresses: %s)", async (all) => {
    const guard = addressGuard([], (_name, _options, callback) => callback(null, []));
    expect(await lookUp(guard, "no-such-host.invalid", all)).toBeInstanceOf(AddressRefused);
  });

  test("are not known while the name server does not respond", async () => {
    const silence = Object.assign(new Error("no response"), { code: "EAI_AGAIN" });
    const guard = addressGuard([], (_name, _options, callback) => callback(silence, []));
    expect(await lookUp(guard, "receiver.example", true)).toBe(silence);
  });
});
