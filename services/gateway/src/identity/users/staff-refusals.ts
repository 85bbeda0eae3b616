// Refused changes of a tenant's staff, limited because a taken e-mail reveals that somebody on the platform has it.
import { ApiError, type ApiRequest, type ApiResponse } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import { type Limits, ONE, READ, rateLimited, secondsUntilAdmitted } from "../../limits/limits.ts";
import type { Tables } from "../../tables.ts";
import { recordAboutUser } from "../record-about-user.ts";

const TAKEN_EMAILS = { capacity: 10, windowSeconds: 3_600 };
// A script cannot fill the audit log.
const RECORDED = { capacity: 30, windowSeconds: 3_600 };

type StaffRefusals = ReturnType<typeof staffRefusals>;

export function staffRefusals({ buckets, countLimited }: Limits) {
  const emails = buckets("taken-emails", TAKEN_EMAILS);
  const recorded = buckets("staff-refusals", RECORDED);
  const chargeEmails = async (tenantId: string, toCharge: typeof ONE) => {
    const { isAdmitted, msUntilFull } = await emails(tenantId, toCharge);
    if (isAdmitted) return;
    countLimited("taken_emails");
    const retryAfterSeconds = secondsUntilAdmitted(TAKEN_EMAILS, msUntilFull);
    throw rateLimited("Too many of the e-mails were taken.", String(retryAfterSeconds));
  };
  return {
    /** Throws 429 at the hourly limit of taken e-mails. */
    checkEmails: (tenantId: string) => chargeEmails(tenantId, READ),
    countEmail: (tenantId: string) => chargeEmails(tenantId, ONE),
    isRecorded: async (tenantId: string) => (await recorded(tenantId, ONE)).isAdmitted,
  };
}

/**
 * Records a 403 or 409 in the audit log. The role was checked earlier.
 *
 * `targetOf` returns the user's id, or the e-mail of a user who does not exist.
 */
export function staffChange<Body>(
  { db, staffRefusals }: { readonly db: Kysely<Tables>; readonly staffRefusals: StaffRefusals },
  handle: (request: ApiRequest<Body, undefined>) => Promise<ApiResponse>,
  targetOf: (request: ApiRequest<Body, undefined>) => string = ({ id }) => id,
) {
  return async (request: ApiRequest<Body, undefined>): Promise<ApiResponse> => {
    try {
      return await handle(request);
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 409)) throw error;
      const { tenantId } = request.principal;
      if (error.code === "email_taken") await staffRefusals.countEmail(tenantId);
      if (await staffRefusals.isRecorded(tenantId)) {
        const changes = { request: request.raw.method, code: error.code };
        const tenant = tenantOf(db, tenantId);
        await recordAboutUser(tenant, "user.refused", targetOf(request), request, changes);
      }
      throw error;
    }
  };
}
