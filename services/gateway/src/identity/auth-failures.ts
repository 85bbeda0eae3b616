// Counts the requests without a valid credential (interface §14). The response is the same for all of them; operators see here
// whether keys are guessed, or whether somebody uses one that has ended.
import type { Metrics } from "@tradepost/runtime";

/**
 * - `missing`: no Authorization header.
 * - `malformed`: more than one, or one that is neither a key nor a token.
 * - `api_key`: an unknown key, or a wrong secret.
 * - `api_key_ended`: a key with its right secret that was revoked or has expired.
 * - `token`: a dashboard token that is not valid, has expired, or whose session has ended.
 * - `refresh`: a refresh cookie that is missing, used up or of a session that has ended.
 * - `password`: a sign-in with an unknown e-mail or a wrong password.
 * - `setup_link`: a set-up link that was used, has expired or is unknown.
 */
export type AuthFailure =
  | ("missing" | "malformed" | "api_key" | "api_key_ended" | "token")
  | ("refresh" | "password" | "setup_link");

/** Counts one refused request. */
export type CountAuthFailure = (reason: AuthFailure) => void;

export function countAuthFailures(metrics: Metrics): CountAuthFailure {
  const counter = metrics.counter("auth_failures_total", "Requests refused for their credential.", [
    "reason",
  ]);
  return (reason) => counter.inc({ reason });
}
