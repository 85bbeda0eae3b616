import { differencesOf, editedTexts } from "./edited.ts";

const ADA = { name: "Ada", email: "ada@shop.example" };

test("only what differs is changed, and an empty text is removed", () => {
  const same = { name: "Ada", email: "ada@shop.example", phone: "", externalId: " " };
  expect(editedTexts(ADA, same)).toEqual({});
  const change = { email: null, phone: "123" };
  expect(editedTexts(ADA, { ...same, email: "", phone: "123" })).toEqual(change);
  const fields = [
    { name: "name", label: "Name" },
    { name: "email", label: "E-mail" },
    { name: "phone", label: "Phone" },
  ];
  expect(differencesOf(fields, change, ADA)).toEqual([
    { field: "E-mail", yours: "None", now: "ada@shop.example" },
    { field: "Phone", yours: "123", now: "None" },
  ]);
});
