import {
  changesOf,
  type Entry,
  linkOf,
  mayManage,
  mayResetFactor,
  type Person,
  rolesToGive,
  setupAddress,
} from "./manage.ts";

const ada: Person = {
  id: "0198c5a2-0000-7000-8000-000000000001",
  email: "ada@shop.example",
  name: "Ada",
  role: "editor",
  active: true,
  state: "active",
  secondFactor: true,
  createdAt: "2026-11-23T12:00:00.000Z",
};

describe("staff", () => {
  test("owners are managed by owners only", () => {
    expect(mayManage("admin", { role: "owner" })).toBe(false);
    expect(mayManage("owner", { role: "owner" })).toBe(true);
    expect(mayManage("admin", { role: "admin" })).toBe(true);
    expect(rolesToGive("admin").map(({ role }) => role)).toEqual(["viewer", "editor", "admin"]);
    expect(rolesToGive("owner")).toHaveLength(4);
  });

  test("second factors are reset as passwords are set, and never by their users", () => {
    const me = (role: Person["role"]) => ({ id: "me", role });
    expect(mayResetFactor(me("admin"), ada)).toBe(true);
    expect(mayResetFactor(me("admin"), { ...ada, secondFactor: false })).toBe(false);
    expect(mayResetFactor(me("admin"), { ...ada, role: "admin" })).toBe(false);
    expect(mayResetFactor(me("owner"), { ...ada, role: "owner" })).toBe(true);
    expect(mayResetFactor(me("owner"), { ...ada, id: "me" })).toBe(false);
  });

  test("a change sends what differs", () => {
    expect(changesOf(ada, { name: "Ada", role: "editor", active: true })).toBeNull();
    expect(changesOf(ada, { name: "Ada L.", role: "editor", active: false })).toEqual({
      name: "Ada L.",
      active: false,
    });
  });

  test("a setup link has its token in the fragment", () => {
    expect(setupAddress("https://shop.example", "t-1")).toBe("https://shop.example/dashboard/set-up#t-1");
  });
});

/** An entry about Ada, or about another person. */
const entry = (at: string, action: string, changes: Entry["changes"], id = ada.id): Entry => ({
  at,
  action,
  target: { id },
  changes,
});
const made = (at: string, id?: string) =>
  entry(at, "user.setup_link_made", { expiresAt: `expiry of ${at}` }, id);
const changed = (at: string, changes: Entry["changes"]) => entry(at, "user.updated", changes);
const [ONE, TWO, THREE] = ["2026-11-25T10:00:00Z", "2026-11-25T11:00:00Z", "2026-11-25T12:00:00Z"];

describe("the setup link of an invited person", () => {
  test.each<[string, Entry[], string | undefined]>([
    ["is not known without entries", [], undefined],
    ["is the person's own", [made(ONE), made(TWO, "grace")], `expiry of ${ONE}`],
    ["is the latest", [made(TWO), made(ONE)], `expiry of ${TWO}`],
    [
      "is ended by another role",
      [made(ONE), changed(TWO, { role: { from: "viewer", to: "editor" } })],
      "ended",
    ],
    ["is not ended by another name", [made(ONE), changed(TWO, { name: {} })], `expiry of ${ONE}`],
    ["is made again", [made(ONE), changed(TWO, { role: {} }), made(THREE)], `expiry of ${THREE}`],
  ])("%s", (_, entries, link) => expect(linkOf(ada, entries)).toBe(link));
});
