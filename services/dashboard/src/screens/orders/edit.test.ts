import type { DataOf } from "@tradepost/client/operations";
import { textsOf } from "../../format/address.ts";
import { changesOf, differences } from "./edit.ts";

const ORDER = {
  status: "placed",
  internalNote: "Call first",
  shippingAddress: { line1: "1 Harbour Street", city: "Lisbon" },
} as DataOf<"getOrder">;
const SAME = { texts: { internalNote: "Call first", customerNote: " " }, addresses: {} };

test("only what differs is changed, and an empty text is removed", () => {
  const shippingAddress = textsOf(ORDER.shippingAddress);
  expect(changesOf(ORDER, { ...SAME, addresses: { shippingAddress } })).toBeNull();
  expect(changesOf(ORDER, { texts: { internalNote: "", customerNote: "Ring" }, addresses: {} })).toEqual({
    internalNote: null,
    customerNote: "Ring",
  });
  expect(
    changesOf(ORDER, { ...SAME, addresses: { shippingAddress: { ...shippingAddress, city: "Porto" } } }),
  ).toEqual({ shippingAddress: { line1: "1 Harbour Street", city: "Porto" } });
});

test("shows what was sent next to what is saved", () => {
  expect(differences({ internalNote: null, shippingAddress: null }, ORDER)).toEqual([
    { field: "Internal note", yours: "None", now: "Call first" },
    { field: "Shipping address", yours: "None", now: "1 Harbour Street\nLisbon" },
  ]);
});
