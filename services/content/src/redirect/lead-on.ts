// Keeps old paths leading to what has moved: a redirect from the old path, what led there before led straight on, and
// none from where something is seen.
import type { TenantStatements } from "@tradepost/postgres";
import type { Selectable } from "kysely";
import type { Cause } from "../cause.ts";
import type { Tables } from "../tables.ts";
import { deleteRedirect, findRedirectFrom, insertRedirect, lockRedirects } from "./redirect-store.ts";

/** In: a normal path at which something is seen from now on: a redirect from there would hide it. */
export async function clearWay(within: TenantStatements<Tables>, path: string, cause: Cause): Promise<void> {
  await lockRedirects(within);
  const hiding = await findRedirectFrom(within, path);
  if (hiding !== null) await deleteRedirect(within, hiding.id, cause);
}

/** In: two normal paths, the way to the second clear; what was at the first is there now. A redirect that stands stays. */
export async function leadOn(
  within: TenantStatements<Tables>,
  from: string,
  to: string,
  cause: Cause,
): Promise<void> {
  await lockRedirects(within);
  for (const one of await leadingTo(within, from)) {
    const removed = await deleteRedirect(within, one.id, cause);
    // Somebody may have removed it meanwhile; then it stays so.
    if (removed === null) continue;
    // With the query and the fragment that it had.
    const target = `${to}${/[?#].*$/s.exec(one.to_target)?.[0] ?? ""}`;
    await insertRedirect(within, { from: one.from_path, to: target, type: one.type }, cause);
  }
  if ((await findRedirectFrom(within, from)) === null) {
    await insertRedirect(within, { from, to, type: 301 }, cause);
  }
}

async function leadingTo(
  { db, tenantId }: TenantStatements<Tables>,
  path: string,
): Promise<Selectable<Tables["redirects"]>[]> {
  return await db
    .selectFrom("redirects")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("to_path", "=", path)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}
