// Records a change of staff that is refused, with 403 or 409, in the audit log. A request that repeats a successful one under its
// Idempotency-Key is not refused. The check of the role by the route table comes before and is not recorded.
import { ApiError, type ApiRequest, type ApiResponse } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import { causeOf, type Gateway } from "./context.ts";

/** `targetOf` returns the user's id, or the e-mail of a user who does not exist. */
export function staffChange<Body>(
  gateway: Gateway,
  handle: (request: ApiRequest<Body, undefined>) => Promise<ApiResponse>,
  targetOf: (request: ApiRequest<Body, undefined>) => string = ({ id }) => id,
) {
  const { db, staffRefusals } = gateway;
  return async (request: ApiRequest<Body, undefined>): Promise<ApiResponse> => {
    try {
      return await handle(request);
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 409)) throw error;
      const { tenantId } = request.principal;
      if (error.code === "email_taken") await staffRefusals.countEmail(tenantId);
      if (await staffRefusals.isRecorded(tenantId)) {
        const target = { type: "user", id: targetOf(request) };
        const changes = { request: request.raw.method, code: error.code };
        await recordAudit(
          tenantOf(db, tenantId),
          { action: "user.refused", target, changes },
          causeOf(gateway, request),
        );
      }
      throw error;
    }
  };
}
