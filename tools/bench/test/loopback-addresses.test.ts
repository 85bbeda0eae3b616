import { isIPv4 } from "node:net";
import { expect, test } from "@jest/globals";
import { loopbackAddresses } from "../src/receivers.ts";

test("each endpoint has an address of its own, also when there are hundreds", () => {
  const addresses = [...loopbackAddresses(0, 600, "linux"), ...loopbackAddresses(1, 600, "linux")];
  expect(addresses.every((address) => isIPv4(address) && address.startsWith("127."))).toBe(true);
  expect(new Set(addresses).size).toBe(1_200);
});
