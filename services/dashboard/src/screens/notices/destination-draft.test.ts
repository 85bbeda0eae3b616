import { ALL_KINDS, bodyOf, draftIn, kindsText } from "./destination-draft.ts";

function form(url: string, emails: string, kinds: readonly string[]): FormData {
  const fields = new FormData();
  fields.set("url", url);
  fields.set("emails", emails);
  for (const kind of kinds) fields.append("kinds", kind);
  return fields;
}

test("the form's fields become a body", () => {
  const draft = draftIn(
    form(" https://a.example/notices ", "a@a.example,\nb@a.example\n", ["endpoint_down"]),
  );
  expect(bodyOf(draft)).toEqual({
    url: "https://a.example/notices",
    emails: ["a@a.example", "b@a.example"],
    kinds: ["endpoint_down"],
  });
});

test("all kinds are those of later releases too, and empty fields are left out", () => {
  expect(draftIn(form("", "", ALL_KINDS))).toEqual({ url: null, emails: [], kinds: null });
});

test("a rotation sends what is stored", () => {
  const stored = { url: "https://a.example", emails: [], kinds: null, signingSecretPreview: "whsec_ab" };
  expect(bodyOf(stored, true)).toEqual({ url: "https://a.example", emails: [], kinds: null, rotate: true });
});

test("kinds are read in words", () => {
  expect(kindsText({ kinds: null })).toBe("All");
  expect(kindsText({ kinds: ["endpoint_down", "endpoint_gone"] })).toBe("Endpoint is down, Endpoint is gone");
});
