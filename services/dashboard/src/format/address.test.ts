import { addressesOf, addressLines, textsOf, withTexts } from "./address.ts";

const HARBOUR = { line1: "1 Harbour Street", city: "Lisbon", postalCode: "1100-148", door: 7, country: "PT" };

test("shows an address as on an envelope, and what else it has", () => {
  expect(addressLines(HARBOUR)).toEqual(["1 Harbour Street", "1100-148 Lisbon", "Portugal", "door: 7"]);
});

test("a changed address keeps the fields that the form does not show", () => {
  const texts = { ...textsOf(HARBOUR), line1: " 2 Harbour Street ", country: "" };
  expect(withTexts(HARBOUR, texts)).toEqual({
    line1: "2 Harbour Street",
    city: "Lisbon",
    postalCode: "1100-148",
    door: 7,
  });
});

test("an address without any text is removed", () => {
  expect(withTexts(HARBOUR, textsOf(undefined))).toBeNull();
  expect(withTexts(undefined, { ...textsOf(undefined), city: "Porto" })).toEqual({
    line1: "",
    city: "Porto",
  });
});

test("the addresses of earlier orders are offered once each, the latest first", () => {
  const home = { line1: "1 Quay", city: "Porto", country: "Portugal" };
  const orders = [
    { shippingAddress: home, billingAddress: HARBOUR },
    {},
    { shippingAddress: HARBOUR, billingAddress: { ...home } },
  ];
  expect(addressesOf(orders)).toEqual([home, HARBOUR]);
});
