// After a migration has added a column to a table, Postgres refuses a prepared `select *` or `returning *` ("cached plan must not
// change result type"). Outside a transaction such a statement is sent again; in a transaction it is not prepared.

/**
 * Whether the columns of the statement's result stay the same when a column is added to a table. A `*` in a subquery or in
 * a `with` query does no harm. False if in doubt.
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
