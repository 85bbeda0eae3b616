// Decides which statements are prepared, and under which names. Postgres parses and plans a prepared statement a few times
// per connection instead of on every use.
import { createHash } from "node:crypto";
import type { Logger } from "@tradepost/runtime";
import { hasFixedColumns } from "./has-fixed-columns.ts";

/** The names of one pool's statements. */
export interface StatementNames {
  /** The name to prepare the statement under; undefined if it is not prepared. Texts that differ have different names. */
  nameOf(text: string): string | undefined;
  /** Prepares the statement no more. */
  drop(text: string): void;
}

/** Each name costs memory on every connection of a pool, some 10 to 100 kB. No service has this many different texts. */
export const NAMES_MAX = 256;

/**
 * Names the first 256 texts of a pool. Further texts are not prepared, which is logged once: it means that some text varies
 * with the number of its values.
 */
export function statementNames(pool: string, logger: Logger): StatementNames {
  const names = new Map<string, string | undefined>();
  let isFull = false;
  return {
    nameOf: (text) => {
      const known = names.get(text);
      if (known !== undefined || isFull || names.has(text)) return known;
      if (names.size >= NAMES_MAX) {
        isFull = true;
        logger.warn(
          { pool, namesMax: NAMES_MAX },
          "too many different statements; further ones are not prepared",
        );
        return undefined;
      }
      const name = hasFixedColumns(text) ? hashOf(text) : undefined;
      names.set(text, name);
      return name;
    },
    drop: (text) => void (names.has(text) && names.set(text, undefined)),
  };
}

/** 45 characters; Postgres allows 63. */
function hashOf(text: string): string {
  return `s_${createHash("sha256").update(text).digest("base64url")}`;
}

/** For connections through a pooler that cannot carry prepared statements. */
export const NO_NAMES: StatementNames = { nameOf: () => undefined, drop: () => undefined };
