// A subscription's URL must not reach the platform's own network, neither by an address in the URL nor by a name.
import { describe, expect, test } from "@jest/globals";
import type { Receiver } from "@tradepost/testing";
import { AddressRefused, addressGuard } from "../src/subscription/address.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import type { TestWebhooks } from "./support/webhooks.ts";

describe("refused addresses", () => {
  let webhooks: TestWebhooks;
  let receiver: Receiver;

  useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" }, (fixture) => {
    ({ webhooks, receiver } = fixture);
  });

  const look = (guard: ReturnType<typeof addressGuard>, name: string, all: boolean) =>
    new Promise((resolve) => {
      guard.lookup(name, { all }, (error, found) => resolve(error ?? found));
    });

  test("are refused at each attempt, by name and by address, and nothing is sent", async () => {
    const tenant = webhooks.tenant();
    const { port } = new URL(receiver.url);
    const ids: string[] = [];
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      ids.push((await tenant.subscribe(`https://${host}:${port}/`)).id);
    }
    // They were allowed when the subscriptions were created, and no longer are.
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

  test.each([true, false])("are refused if a name resolves to one (all addresses: %s)", async (all) => {
    expect(await look(addressGuard([]), "localhost", all)).toBeInstanceOf(AddressRefused);
    // One refused address is enough: the connection could use any of them.
    expect(await look(addressGuard(["203.0.113.0/24"]), "localhost", all)).toBeInstanceOf(AddressRefused);
  });

  test("are allowed if the operator allows their range, and no other", async () => {
    const guard = addressGuard(["127.0.0.0/8", "::1/128"]);
    expect(await look(guard, "localhost", true)).toContainEqual({ address: "127.0.0.1", family: 4 });
    expect(guard.allowsHost("127.1.2.3")).toBe(true);
    expect(guard.allowsHost("[::1]")).toBe(true);
    expect(guard.allowsHost("10.0.0.1")).toBe(false);
    // The same machine by an address that the operator did not allow.
    expect(guard.allowsHost("[::ffff:127.0.0.1]")).toBe(false);
  });

  test("do not include names without an address, which have their own error", async () => {
    expect(await look(addressGuard([]), "no-such-host.invalid", true)).toMatchObject({
      code: "ENOTFOUND",
    });
  });
});
