// Records successful attempts at healthy endpoints and claims the deliveries that may start next, in one statement. It takes no
// lock that fan-out waits for, and writes nothing about the endpoint.
import { queryTogether } from "@tradepost/postgres";
import type { Pool } from "pg";
import { attempts, type claims } from "../../delivery/delivery.ts";
import { storeStandings } from "../../subscriptions/subscriptions.ts";
import type { EndpointState } from "../scheduler/endpoint-record.ts";
import type { Reservation } from "../scheduler/scheduler.ts";

export interface Successes {
  readonly made: readonly attempts.Made[];
  readonly standings: readonly EndpointState[];
  readonly reserved: readonly Reservation[];
}

export interface RecordedSuccesses {
  /** By id. The others were settled or cancelled by another transaction. */
  readonly delivered: ReadonlySet<string>;
  readonly claimed: claims.ClaimedRow[];
}

type RecordedRow = claims.ClaimedRow & { readonly delivered: string[] };

/** In one packet, as one transaction. */
export async function recordSuccesses(
  pool: Pool,
  bodies: attempts.ResponseBodies,
  { made, standings, reserved }: Successes,
  lockMs: number,
): Promise<RecordedSuccesses> {
  const missing = bodies.missing(made);
  const [recorded] = await queryTogether(pool, [
    reserved.length === 0
      ? attempts.closeDelivered({ made })
      : attempts.closeDeliveredAndClaim({ made, reserved, lockMs }),
    ...(missing.length > 0 ? [bodies.insert(missing)] : []),
    ...(standings.length > 0 ? [storeStandings(standings)] : []),
  ]);
  bodies.remember(missing);
  const rows = (recorded?.rows ?? []) as RecordedRow[];
  return {
    delivered: new Set(rows[0]?.delivered),
    claimed: rows.filter(({ deliveryId }) => Boolean(deliveryId)),
  };
}
