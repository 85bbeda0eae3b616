// The query field `count` of lists, and the fields that it adds to a page (interface §19).
import { shaped } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { type Expression, sql } from "kysely";
import { z } from "zod";

export const COUNT_MAX = 1_000;

export const count = shaped(
  z
    .enum(["true", "false"], "must be true or false")
    .default("false")
    .transform((text) => text === "true"),
  z.boolean().default(false).describe("With `page.count`, of all that the filters select."),
);

/** The fields that `count` adds to `page`. */
export const COUNT_FIELDS = {
  count: z.int().min(0).max(COUNT_MAX).optional().describe("With `count=true`: how many the filters select."),
  countIsMore: z.boolean().optional().describe("Whether the filters select more than `count`."),
};

/** Counts the rows of a statement that selects at most one more than `COUNT_MAX`. `isPart` says whether it searched only a part. */
export async function countRows<Tables>(
  { db }: Tenant<Tables>,
  rows: Expression<unknown>,
  isPart: () => Promise<boolean> = async () => false,
): Promise<{ count: number; countIsMore: boolean }> {
  const counted = await sql<{ count: number }>`select count(*)::int as count from (${rows}) counted`.execute(
    db,
  );
  const found = counted.rows[0]?.count ?? 0;
  return { count: Math.min(found, COUNT_MAX), countIsMore: found > COUNT_MAX || (await isPart()) };
}
