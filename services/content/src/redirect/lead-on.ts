// Keeps old paths leading to what has moved: a redirect from the old path, what led there before led straight on, and
// nothing that leads back.
import type { TenantStatements } from "@tradepost/postgres";
import type { Selectable } from "kysely";
import type { Cause } from "../cause.ts";
import type { Tables } from "../tables.ts";
import {
  deleteRedirect,
  findRedirectFrom,
  insertRedirect,
  leadsTo,
  lockRedirects,
} from "./redirect-store.ts";

/** In: two normal paths; what was at the first is at the second from now on. A redirect that is there already stays. */
export async function leadOn(
  within: TenantStatements<Tables>,
  from: string,
  to: string,
  cause: Cause,
): Promise<void> {
  await lockRedirects(within);
  // What stands at the new path is seen there, and a redirect that leads from it to the old one would be a loop.
  const back = await findRedirectFrom(within, to);
  if (back !== null && (await leadsTo(within, to, from))) await deleteRedirect(within, back.id, cause);
  for (const one of await leadingTo(within, from)) {
    await deleteRedirect(within, one.id, cause);
    if (one.from_path === to) continue;
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
