import { commandsFor, isNamed } from "./commands.ts";

const OWNER = { role: "owner", modules: ["crm", "content"] } as const;
const namesFor = (holder: Parameters<typeof commandsFor>[0], text: string) =>
  commandsFor(holder, text).map(({ name }) => name);

describe("the commands of the search", () => {
  test("are found by their other names", () => {
    expect(namesFor(OWNER, "api key")).toEqual(["Create a key", "API keys"]);
    expect(namesFor(OWNER, "new order")).toEqual(["Place an order"]);
    expect(namesFor(OWNER, "xyz")).toEqual([]);
  });

  test("are those that the role and the modules allow", () => {
    expect(namesFor({ role: "viewer", modules: ["crm", "content"] }, "order")).toEqual(["Orders"]);
    expect(namesFor({ role: "owner", modules: ["content"] }, "order")).toEqual([]);
    expect(namesFor({ role: "editor", modules: ["crm"] }, "key")).toEqual([]);
  });

  test.each([
    ["Müller GmbH", "mull", true],
    ["Müller GmbH", "GMBH müll", true],
    ["Müller GmbH", "ller", false],
    ["Müller GmbH", "", true],
  ])("“%s” is named by “%s”: %s", (name, text, isFound) => {
    expect(isNamed(name, text)).toBe(isFound);
  });
});
