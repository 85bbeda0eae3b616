// Limits what a message to /mcp contains outside the arguments of its tool. The protocol's package parses that part several
// times with loose schemas, which takes 3 seconds of one core for 150,000 members. Clients send about 10. Pure.

/** Of objects and lists, at every depth. */
const MEMBERS_MAX = 500;

/** True if a message has more members than any client sends. `params.arguments` does not count: tools have strict schemas. */
export function isTooWide(message: object): boolean {
  const { params, ...others } = message as { readonly params?: unknown };
  const { arguments: _, ...otherParams } = isObject(params) ? params : {};
  return hasMoreMembers([others, otherParams], MEMBERS_MAX);
}

/** Looks at no more than `membersMax` members and one list or object. */
function hasMoreMembers(roots: readonly object[], membersMax: number): boolean {
  const left: object[] = [...roots];
  let count = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const members = Object.values(next);
    count += members.length;
    if (count > membersMax) return true;
    left.push(...members.filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
