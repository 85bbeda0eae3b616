// The table of settings in each service's README has exactly the settings that the service reads.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { settings as content } from "@tradepost/content/config";
import { settings as gateway } from "@tradepost/gateway/config";
import { settings as orders } from "@tradepost/orders/config";
import { settings as webhooks } from "@tradepost/webhooks/config";
import { ROOT } from "./support/compose-file.ts";

const SCHEMAS = { gateway, orders, content, webhooks };
type ServiceName = keyof typeof SCHEMAS;

describe.each(Object.keys(SCHEMAS) as ServiceName[])("the README of %s", (service) => {
  const schema = Object.entries(SCHEMAS[service].shape);
  const rows = readTable(service);

  test("names exactly the settings of the service", () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(schema.map(([name]) => name).sort());
  });

  test("has the required settings and the defaults of the others", () => {
    for (const [name, setting] of schema) {
      const told = rows.find((row) => row.name === name)?.whenNotSet ?? "";
      const unset = setting.safeParse(undefined);
      const given = setting.safeParse(told);
      // A setting without a default has words there: "none", "not served".
      const isNothing = unset.data === undefined || (Array.isArray(unset.data) && unset.data.length === 0);
      if (!unset.success) expect(`${name}: ${told}`).toBe(`${name}: required`);
      else if (isNothing)
        expect({ name, told, isValue: given.success }).toEqual({ name, told, isValue: false });
      else expect({ name, value: given.data }).toEqual({ name, value: unset.data });
    }
  });
});

/** The rows of the table whose first column is "setting", without backticks. */
function readTable(service: ServiceName): { name: string; whenNotSet: string }[] {
  const file = path.join(ROOT, "services", service, "README.md");
  const [, rows] = /^\| setting\b.*\n\|[-| :]+\n((?:\|.*\n)+)/m.exec(readFileSync(file, "utf8")) ?? [];
  if (rows === undefined) throw new Error(`${file} has no table that begins with "| setting".`);
  return rows
    .trim()
    .split("\n")
    .map((row) => {
      const [, name = "", whenNotSet = ""] = row.split("|").map((cell) => cell.trim().replaceAll("`", ""));
      return { name, whenNotSet };
    });
}
