// Decides which references in Markdown and comments count as broken.
import { expect, test } from "@jest/globals";
import { findBrokenReferences } from "../src/references.ts";

// The number is a constant, because the check also reads this file.
const MISSING = 17;

const FILES = {
  "package.json": '{"scripts":{"check":"…"}}',
  "docs/interface.md": "# Interface\n\n## §4 Orders and customers\n",
  "services/orders/src/order/order.ts": "export function priceOrder() {}",
};

function broken(page: string): string[] {
  return findBrokenReferences(new Map(Object.entries({ ...FILES, "docs/page.md": page })));
}

test.each([
  ["a link to a file", "[orders](../services/orders/src/order/order.ts)"],
  ["a link to a directory", "[orders](../services/orders)"],
  ["a link to a heading", "[§4](interface.md#4-orders-and-customers)"],
  ["a link to a heading of the same page", "# Some title\n\n[up](#some-title)"],
  ["a link to another site", "[elsewhere](https://example.com/page.md)"],
  ["a path from the root", "`services/orders/src/order`"],
  ["a path with a wildcard", "`services/*/src/order/`"],
  ["the end of a path", "`order.ts`, `order/order.ts`"],
  ["a command", "`npm run check`"],
  ["a name that code has", "`priceOrder`"],
  ["a function of a file", "[order.ts](../services/orders/src/order/order.ts), `priceOrder`"],
  ["a section of the interface", "interface §4"],
  ["code in a fence", "```sh\n[no link](nowhere.md) `nowhere.ts`\n```"],
])("accepts %s", (_what, page) => {
  expect(broken(page)).toEqual([]);
});

test.each([
  [
    "a function that a file does not declare",
    "[order.ts](../services/orders/src/order/order.ts), `place`",
    "docs/page.md: services/orders/src/order/order.ts declares no place",
  ],
  [
    "a link to a file that does not exist",
    "[x](nowhere.md)",
    "docs/page.md: the link to nowhere.md leads nowhere",
  ],
  [
    "a link to a heading that does not exist",
    "[x](interface.md#5-content)",
    "docs/page.md: the link to interface.md#5-content leads nowhere",
  ],
  ["a path that does not exist", "`packages/nowhere`", "docs/page.md: there is no file packages/nowhere"],
  ["the end of no path", "`nowhere.ts`", "docs/page.md: there is no file nowhere.ts"],
  ["a name that no code has", "`priceOder`", "docs/page.md: no TypeScript file names priceOder"],
  ["a command that does not exist", "`npm run nothing`", "docs/page.md: package.json has no script nothing"],
  [
    "a section that does not exist",
    `interface §${MISSING}`,
    `docs/page.md: docs/interface.md has no section for "interface §${MISSING}"`,
  ],
])("reports %s", (_what, page, message) => {
  expect(broken(page)).toEqual([message]);
});

test("reports a document that is not in the repository", () => {
  const files = new Map(
    Object.entries({ ...FILES, "services/orders/src/order/order.ts": "// As the specification says." }),
  );
  expect(findBrokenReferences(files)).toEqual([expect.stringContaining('order.ts: "the specification"')]);
});

test("reports a section that does not exist in a comment", () => {
  const files = new Map(
    Object.entries({ ...FILES, "services/orders/src/order/order.ts": "// (interface §9)" }),
  );
  expect(findBrokenReferences(files)).toEqual([
    'services/orders/src/order/order.ts: docs/interface.md has no section for "interface §9"',
  ]);
});
