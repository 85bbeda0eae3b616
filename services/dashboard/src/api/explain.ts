// Explains a failure to the user: the meaning, and the next step. Pure.
import type { Failure } from "./failure.ts";
import { sentence } from "./field-errors.ts";

export interface Explanation {
  readonly title: string;
  readonly text: string;
  /** True if the screen shows outdated data, so that the next step is to read it again. */
  readonly isStale: boolean;
}

const FORBIDDEN: Readonly<Record<string, string>> = {
  module_disabled: "This module is not active",
  tenant_suspended: "This shop is suspended",
  address_not_allowed: "This key may not be used from here",
  second_factor_required: "Set up a second factor first",
};

export function explain(failure: Failure): Explanation {
  const text = sentence(failure.message);
  const plain = (title: string, more = text) => ({ title, text: more, isStale: false });
  switch (failure.status) {
    case 0:
      return plain(
        "Tradepost cannot be reached",
        "The request got no response. Check the connection and try again.",
      );
    case 401:
      return plain("You are signed out", "Sign in again to go on.");
    case 403:
      return plain(FORBIDDEN[failure.code] ?? "Your role does not allow this");
    case 404:
      return { title: "This no longer exists", text, isStale: true };
    case 409:
      if (failure.code === "customer_erased") return plain("This person was erased");
      if (failure.code === "quota_exceeded") return plain("The shop's quota is used up");
      return { title: "This has changed in the meantime", text, isStale: true };
    case 412:
      return { title: "Someone else has changed this", text, isStale: true };
    case 422:
      return plain(
        "Some fields need attention",
        failure.details.length > 0 ? "Correct the marked fields and try again." : text,
      );
    case 429:
      return plain("Too many requests");
    default:
      return failure.status >= 500
        ? plain(
            "Something went wrong on our side",
            "Try again in a moment. If it goes on, give your operator the request id.",
          )
        : plain("The request was refused");
  }
}
