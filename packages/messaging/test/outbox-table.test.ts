// The relay works on a table that the services' migrations create: all of them, and these tests, must mean the same.
import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { OUTBOX_DDL, PUBLISHED_DDL, SIZES_AND_REPLAY_DDL } from "./support/outbox-table.ts";

const SERVICES = new URL("../../../services/", import.meta.url);

test.each(["orders", "content", "webhooks"])(
  "the outbox of %s is the one that the relay is tested on",
  async (service) => {
    const folder = new URL(`${service}/migrations/`, SERVICES);
    const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
    const migrations = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")));
    const statements = migrations.join("\n");
    const start = statements.indexOf("create table outbox");
    expect(statements.slice(start, start + OUTBOX_DDL.length)).toBe(OUTBOX_DDL);
    expect(statements).toContain(PUBLISHED_DDL);
    expect(statements).toContain(SIZES_AND_REPLAY_DDL);
    // Nothing elsewhere changes it again; who may touch it is another matter.
    const others = statements.replace(OUTBOX_DDL, "").replace(SIZES_AND_REPLAY_DDL, "");
    expect(others.replace(/^(grant|create policy) .*$/gm, "")).not.toMatch(/\b(table|index|on) outbox/);
  },
);
