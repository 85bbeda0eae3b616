// Why a sign-in at the provider, or a link that signs in, failed: what happened, and the next step. Pure.
import { given, oneOf, parameters } from "./search-values.ts";

type Text = readonly [title: string, text: string];

export const EXPIRED_LINK: Text = [
  "This sign-in link no longer works",
  "It was used, or is older than 10 minutes. Sign in with the e-mail and password that npm start printed, or start it again for a new link.",
];

export const SIGN_IN_FAILURES = {
  not_invited: (name) => [
    "Nobody here is linked to this account",
    `If you have a password here, sign in with it, and link ${name} under Your account. Otherwise ask an admin of your shop to add the address with which you signed in at ${name}.`,
  ],
  email_unverified: (name) => [
    "Your e-mail address is not verified",
    `Verify it at ${name}, and sign in again.`,
  ],
  expired: () => [
    "This sign-in no longer works",
    "It was finished before, took longer than 10 minutes, or was begun in another browser or by somebody else. Begin again.",
  ],
  refused: (name) => [
    "You are not signed in",
    `You or ${name} cancelled the sign-in, or the account is linked to somebody else here.`,
  ],
  suspended: () => ["This shop is suspended", "Its operator can resume it."],
  unavailable: (name) => [
    `You cannot sign in at ${name} now`,
    "It cannot be reached. Try again later, or sign in with your password, if your shop accepts it.",
  ],
} as const satisfies Record<string, (name: string) => Text>;

export type SignInFailure = keyof typeof SIGN_IN_FAILURES;

export const failureSearch = parameters({ failure: oneOf(SIGN_IN_FAILURES) });

/** An address of another site is dropped. */
export function signInSearch({ next, failure }: Record<string, unknown>) {
  const isHere = typeof next === "string" && /^\/(?![/\\])/.test(next) && next !== "/";
  return { ...given({ next: isHere ? next : undefined }), ...failureSearch({ failure }) };
}
