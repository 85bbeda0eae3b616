// A subscription's URL must not lead into our own network: not when it is written, and not when its name turns out to.
import { describe, expect, test } from "@jest/globals";
import type { Receiver } from "@tradepost/testing";
import { AddressRefused, addressGuard } from "../src/subscription/address.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import type { TestWebhooks } from "./support/webhooks.ts";

describe("addresses that may not be called", () => {
  let webhooks: TestWebhooks;
  let receiver: Receiver;

  useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" }, (fixture) => {
    ({ webhooks, receiver } = fixture);
  });

  const look = (guard: ReturnType<typeof addressGuard>, name: string, all: boolean) =>
    new Promise((resolve) => {
      guard.lookup(name, { all }, (error, found) => resolve(error ?? found));
    });

  test("are refused at each attempt, by name and written out, and nothing is sent there", async () => {
    const tenant = webhooks.tenant();
    const { port } = new URL(receiver.url);
    const ids: string[] = [];
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      ids.push((await tenant.subscribe(`https://${host}:${port}/`)).id);
    }
    // They were allowed when they were written, and are no longer.
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

  test.each([true, false])("are refused when a name leads there (all addresses: %s)", async (all) => {
    expect(await look(addressGuard([]), "localhost", all)).toBeInstanceOf(AddressRefused);
    // One address that may not be called is enough: whoever answers for the name could give either.
    expect(await look(addressGuard(["203.0.113.0/24"]), "localhost", all)).toBeInstanceOf(AddressRefused);
  });

  test("are called where the operator allows it, and that range alone", async () => {
    const guard = addressGuard(["127.0.0.0/8", "::1/128"]);
    expect(await look(guard, "localhost", true)).toContainEqual({ address: "127.0.0.1", family: 4 });
    expect(guard.allowsHost("127.1.2.3")).toBe(true);
    expect(guard.allowsHost("[::1]")).toBe(true);
    expect(guard.allowsHost("10.0.0.1")).toBe(false);
    // The same machine, written as an address that the operator did not name.
    expect(guard.allowsHost("[::ffff:127.0.0.1]")).toBe(false);
  });

  test("a name that leads nowhere is an error of its own", async () => {
    expect(await look(addressGuard([]), "no-such-host.invalid", true)).toMatchObject({
      code: "ENOTFOUND",
    });
  });
});
