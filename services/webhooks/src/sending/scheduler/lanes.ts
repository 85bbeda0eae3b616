// The lanes that share a process's slots, so that endpoints that hang never take all of them. Pure arithmetic.
//
// Half of the slots is only for proven endpoints, which may use up to three quarters while the rest is free. All other endpoints
// share one half, and those that are down get half of that. A tenant may take another slot of a lane only while it has fewer slots
// than are free (in the proven lane: than three times as many), and the last eighth of a lane is for tenants without a slot in it. So
// however many tenants hang, slots are left for the next one.
//
// An attempt in the proven lane ages when its endpoint has stopped responding in time, and then leaves the lane. Aged attempts may
// exceed the slots: at most four times as many attempts are in flight.

export type Lane = "proven" | "other" | "down";

export interface Usage {
  readonly proven: number;
  readonly other: number;
  readonly down: number;
  readonly aged: number;
}

export type Lanes = Readonly<ReturnType<typeof lanesOf>>;

const IN_FLIGHT_MAX_FACTOR = 4;
/** In the proven lane, a tenant has at most this share of the attempts that remain until the maximum. */
const TENANT_SHARE_OF_REMAINING = 1 / 4;
const PROVEN_TENANT_FACTOR = 3;
const KEPT_SHARE = 1 / 8;

/** Uses at least 2 slots. */
export function lanesOf(slots: number) {
  const atLeast2 = Math.max(2, slots);
  const half = Math.floor(atLeast2 / 2);
  return {
    slots: atLeast2,
    half,
    quarter: Math.floor(half / 2),
    inFlightMax: atLeast2 * IN_FLIGHT_MAX_FACTOR,
  };
}

/** How many attempts of all tenants together may start. May be negative. */
export function freeOf(lane: Lane, usage: Usage, lanes: Lanes): number {
  return Math.min(
    remainingOf(usage, lanes),
    lane === "proven" ? freeProven(usage, lanes) : freeOther(lane, usage, lanes),
  );
}

/** `held`: for the proven lane, the tenant's attempts that started in it, even if they have aged; else all outside it. */
export function mayStart(lane: Lane, held: number, usage: Usage, lanes: Lanes): boolean {
  const free = freeOf(lane, usage, lanes);
  if (held === 0) return free > 0;
  const shared = free - Math.floor(lanes.half * KEPT_SHARE);
  if (lane !== "proven") return held < shared;
  return held < PROVEN_TENANT_FACTOR * shared && held < remainingOf(usage, lanes) * TENANT_SHARE_OF_REMAINING;
}

function remainingOf({ proven, other, aged }: Usage, { inFlightMax }: Lanes): number {
  return inFlightMax - proven - other - aged;
}

function freeProven({ proven, other, aged }: Usage, { slots, half, quarter }: Lanes): number {
  // Above its half, the lane leaves an eighth of all slots to tenants without a slot.
  const unused = slots - proven - other - aged - Math.floor(slots * KEPT_SHARE);
  return Math.max(half - proven, Math.min(half + quarter - proven, unused));
}

/** Aged attempts take up to half of the lane; new endpoints keep the rest. */
function freeOther(
  lane: "other" | "down",
  { proven, other, down, aged }: Usage,
  { slots, half, quarter }: Lanes,
): number {
  const taken = other + Math.min(aged, quarter);
  const free = Math.min(half - taken, slots - proven - taken);
  return lane === "down" ? Math.min(free, Math.max(1, quarter) - down) : free;
}
