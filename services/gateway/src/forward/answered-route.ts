// The route pattern of the service that responded, for the gateway's metrics and log (interface §3, `x-route`).

/** For requests that no service responded to, and for responses without a pattern. */
export const FORWARDED = "forwarded";

const PATTERN = /^\/v1(\/:?[a-zA-Z0-9-]{1,64}){1,10}$/;
// All services together have about 80. A service that puts ids into its patterns must not make a time series for each.
const ROUTES_MAX = 500;

/** Returns a function that takes the value of the header and returns it, or `FORWARDED` if it is not a pattern. */
export function answeredRoutes(): (header: string | string[] | undefined) => string {
  const known = new Set<string>();
  return (header) => {
    if (typeof header !== "string") return FORWARDED;
    if (known.has(header)) return header;
    if (known.size === ROUTES_MAX || !PATTERN.test(header)) return FORWARDED;
    known.add(header);
    return header;
  };
}
