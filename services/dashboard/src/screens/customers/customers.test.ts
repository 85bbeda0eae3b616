import { expect, test } from "@jest/globals";
import type { DataOf } from "@tradepost/client/operations";
import { changesOf, differences } from "./edit.ts";
import { customersSearch } from "./search.ts";

const ADA = { name: "Ada", email: "ada@shop.example" } as DataOf<"getCustomer">;

test("the address has the filters, and nothing else", () => {
  expect(customersSearch({ search: " Müller ", externalId: 204, add: "yes", x: 1 })).toEqual({
    search: "Müller",
    externalId: "204",
  });
  expect(customersSearch({ add: true })).toEqual({ add: true });
});

test("only what differs is changed, and an empty text is removed", () => {
  const same = { name: "Ada", email: "ada@shop.example", phone: "", externalId: "" };
  expect(changesOf(ADA, same)).toBeNull();
  const change = { email: null, phone: "123" };
  expect(changesOf(ADA, { ...same, email: "", phone: "123" })).toEqual(change);
  expect(differences(change, ADA)).toEqual([
    { field: "E-mail", yours: "None", now: "ada@shop.example" },
    { field: "Phone", yours: "123", now: "None" },
  ]);
});
