// The import rules detect violations, which the repository itself does not contain.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";

const CHECKS = path.resolve(import.meta.dirname, "..");
const DEPCRUISE = path.resolve(CHECKS, "../../node_modules/.bin/depcruise");

describe("the import rules", () => {
  let root = "";

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), "tradepost-import-rules-"));
    write({ "tsconfig.json": "{}" });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test("accept imports in one direction", () => {
    write({
      "services/shop/src/order/order.ts": 'import "../customer/customer.ts";',
      "services/shop/src/customer/customer.ts": "export {};",
    });
    expect(violations()).toEqual([]);
  });

  test("refuse an import upwards in the dashboard, and one of another area past its door", () => {
    write({
      "services/dashboard/src/ui/button.tsx": 'import "../screens/orders/orders.tsx";',
      "services/dashboard/src/screens/orders/orders.tsx":
        'import "../customers/name.ts"; import "../customers/door.ts";',
      "services/dashboard/src/screens/customers/door.ts": "export {};",
      "services/dashboard/src/screens/customers/name.ts": "export {};",
      "services/dashboard/src/data/use-read.ts": 'import "../session/request.ts";',
      "services/dashboard/src/session/request.ts": "export {};",
    });
    expect(violations()).toEqual(["dashboard-areas-by-their-doors", "dashboard-ui-imports-down"]);
  });

  test("refuse two folders that import from each other through different files", () => {
    write({
      "services/shop/src/order/order.ts": 'import "../customer/customer.ts";',
      "services/shop/src/customer/customer.ts": "export {};",
      "services/shop/src/customer/history.ts": 'import "../order/order.ts";',
    });
    expect(violations()).toEqual(["no-folder-circles"]);
  });

  test("refuse an import past the door of a wing", () => {
    write({
      "services/shop/src/service.ts": 'import "./order/price.ts";',
      "services/shop/src/order/order.ts": 'import "./price.ts";',
      "services/shop/src/order/price.ts": 'import "../customer/customer.ts";',
      "services/shop/src/customer/customer.ts": "export {};",
    });
    expect(violations()).toEqual(["shop-order-by-its-door"]);
  });

  test("refuse a relative import that leaves the workspace", () => {
    write({
      "tools/bench/src/bench.ts": 'import "../../devstack/src/platform.ts";',
      "tools/devstack/src/platform.ts": "export {};",
    });
    expect(violations()).toEqual(["workspaces-by-name"]);
  });

  test("refuse I/O in a file that says it is pure", () => {
    write({
      "services/shop/src/order/price.ts":
        '// Computes a price (interface §4). Pure.\nimport { readFile } from "node:fs";\nreadFile;',
      "services/shop/src/order/order.ts": 'import { readFile } from "node:fs";\nreadFile;',
    });
    expect(violations()).toEqual(["pure-files-decide"]);
  });

  function write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, `${text}\n`);
    }
  }

  /** Returns the names of the rules that the files violate. */
  function violations(): string[] {
    const args = ["--config", path.join(CHECKS, "import-rules.cjs"), "--output-type", "json", "."];
    const output = execFileSync(DEPCRUISE, args, { cwd: root, encoding: "utf8", stdio: "pipe" });
    const { summary } = JSON.parse(output) as { summary: { violations: { rule: { name: string } }[] } };
    return [...new Set(summary.violations.map(({ rule }) => rule.name))];
  }
});
