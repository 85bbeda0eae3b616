// Postgres keeps the plan of a prepared statement until the table's next analyze. A plan made for an empty table would read, and
// sort, the whole table when it is large.

/** For statements that find rows by an index. `jit` is off because a plan that needs a step that is off has a huge cost. */
export const BY_INDEX = { enable_seqscan: "off", jit: "off" } as const;

/** For statements of each request: Postgres would otherwise plan them for each number of values. */
export const ALWAYS_BY_INDEX = { ...BY_INDEX, plan_cache_mode: "force_generic_plan" } as const;

/** For lists that end after a page: a bitmap scan would first read all rows. */
export const IN_INDEX_ORDER = { ...BY_INDEX, enable_bitmapscan: "off" } as const;

/** Likewise, even if the planner assumes that sorting a growing table is cheaper. */
export const ONLY_IN_INDEX_ORDER = { ...IN_INDEX_ORDER, enable_sort: "off" } as const;

/** For statements that read a queue, such as the outbox. Each has one possible plan, made once for a connection. */
export const ALWAYS_IN_INDEX_ORDER = {
  ...ONLY_IN_INDEX_ORDER,
  plan_cache_mode: "force_generic_plan",
} as const;

/** For statements that find and join rows by their keys (docs/decisions/0013). As above, each has one possible plan. */
export const ALWAYS_BY_KEY = {
  ...IN_INDEX_ORDER,
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  plan_cache_mode: "force_generic_plan",
} as const;
