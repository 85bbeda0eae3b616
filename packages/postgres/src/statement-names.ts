// Decides which statements are prepared, and under which names. Postgres parses and plans a prepared statement a few times
// per connection instead of on every use.
import { createHash } from "node:crypto";
import type { Logger } from "@tradepost/runtime";

/** Each name costs some 10 to 100 kB on every connection. No service has as many texts. */
export const NAMES_MAX = 256;

export type StatementNames = ReturnType<typeof statementNames>;

/** Names the first 256 texts of a pool. A further one is logged once: some text varies with the number of its values. */
export function statementNames(pool: string, logger: Logger) {
  const named = new Map<
    string,
    { readonly name: string; readonly isFixed: boolean; readonly renewals: number }
  >();
  let isFull = false;
  const add = (text: string, isFixed: boolean, renewals: number) => {
    const added = { name: hashOf(text, renewals), isFixed, renewals };
    named.set(text, added);
    return added;
  };
  return {
    /** Returns the name to prepare the statement under; undefined if it is not prepared. Different texts have different names. */
    nameOf: (text: string, { isInTransaction }: { isInTransaction: boolean }): string | undefined => {
      let known = named.get(text);
      if (known === undefined && !isFull) {
        isFull = named.size >= NAMES_MAX;
        if (isFull)
          logger.warn(
            { pool, namesMax: NAMES_MAX },
            "too many different statements; the rest is not prepared",
          );
        else known = add(text, hasFixedColumns(text), 0);
      }
      return known === undefined || (isInTransaction && !known.isFixed) ? undefined : known.name;
    },
    /** Postgres has refused the old name because the result has changed. */
    renew: (text: string) => {
      const known = named.get(text);
      if (known !== undefined) add(text, known.isFixed, known.renewals + 1);
    },
  };
}

/** The name has 45 characters; Postgres allows 63. */
function hashOf(text: string, renewals: number): string {
  const hash = createHash("sha256").update(text);
  if (renewals > 0) hash.update(`\0${renewals}`);
  return `s_${hash.digest("base64url")}`;
}

/** No names, for connections through a pooler that cannot carry prepared statements. */
export const NO_NAMES: StatementNames = { nameOf: () => undefined, renew: () => undefined };

/**
 * Reports whether the columns of the result stay the same when a column is added to a table. A `*` in a subquery or in a `with`
 * query does no harm. False if in doubt.
 */
export function hasFixedColumns(text: string): boolean {
  const outermost = withoutParentheses(text.replace(COMMENT_OR_QUOTED, (match) => replacementOf(match)));
  if (outermost === null) return false;
  const [verb] = VERB.exec(outermost) ?? [];
  if (verb === undefined) return false;
  const isQuery = verb.toLowerCase() === "select";
  const result = isQuery ? outermost : (RETURNING.exec(outermost)?.[0] ?? "");
  return !STAR.test(result);
}

const COMMENT_OR_QUOTED = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
const VERB = /\b(?:select|insert|update|delete|merge)\b/i;
const RETURNING = /\breturning\b[\s\S]*$/i;
// Does not match the `*` of a product or of `count(*)`.
const STAR = /(?:\bselect|\breturning|\bdistinct|\ball|\bon\s*\(\)|,|\.)\s*\*/i;

function replacementOf(match: string): string {
  if (match.startsWith("'")) return "''";
  return match.startsWith('"') ? "quoted" : " ";
}

/** Returns the text with its parentheses emptied; null if they do not match. */
function withoutParentheses(text: string): string | null {
  let depth = 0;
  let outermost = "";
  for (const part of text.split(/([()])/)) {
    if (part === ")") depth -= 1;
    if (depth < 0) return null;
    if (depth === 0) outermost += part;
    if (part === "(") depth += 1;
  }
  return depth === 0 ? outermost : null;
}
