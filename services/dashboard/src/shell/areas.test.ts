import { isAllowed, missing, type Role } from "../session/roles.ts";
import { AREAS, areaOf, gateOf } from "./areas.ts";

const BOTH = ["crm", "content"];
const shown = (role: Role, modules = BOTH) =>
  AREAS.filter(({ needs }) => isAllowed({ role, modules }, needs)).map(({ name }) => name);

const FOR_ADMINS = ["API keys", "Staff", "Audit log", "Requests", "Usage"];

test("viewers and editors see every area but those for admins", () => {
  const expected = AREAS.map(({ name }) => name).filter((name) => !FOR_ADMINS.includes(name));
  for (const role of ["viewer", "editor"] as const) expect(shown(role)).toEqual(expected);
});

test("admins and owners see every area", () => {
  for (const role of ["admin", "owner"] as const) expect(shown(role)).toEqual(AREAS.map(({ name }) => name));
});

test("an area of a module that is not active is not shown", () => {
  expect(shown("owner", ["content"])).not.toContain("Orders");
  expect(shown("owner", ["crm"])).not.toContain("Notices");
  expect(shown("viewer", [])).toEqual(["Overview", "Shop"]);
});

test.each([
  ["viewer", "admin", "This is for the roles admin and owner. You are signed in as viewer."],
  ["editor", "admin", "This is for the roles admin and owner. You are signed in as editor."],
  ["admin", "owner", "This is for the role owner. You are signed in as admin."],
  ["admin", "editor", undefined],
] as const)("a screen says to a %s that it is for the role %s or above", (role, needed, sentence) => {
  expect(missing({ role, modules: BOTH }, { role: needed })).toBe(sentence);
});

test("a screen says which module is missing before it says which role", () => {
  expect(missing({ role: "viewer", modules: ["crm"] }, { role: "owner", module: "content" })).toBe(
    "The module “content” is not active for this shop. An owner can activate it.",
  );
});

test("an address below that of an area is in the area, and may need more", () => {
  expect(areaOf("/ai-integrations/x")?.name).toBe("API keys");
  expect(areaOf("/orders-x")).toBeUndefined();
  expect(areaOf("/")?.name).toBe("Overview");
  expect(gateOf("/orders/x")).toBe(areaOf("/orders"));
  for (const to of ["/orders/new", "/orders/import", "/entries/new"])
    expect(gateOf(to)?.needs.role).toBe("editor");
});
