// The session of the user who is signed in. The token is kept only in the memory of each tab; the browser keeps the refresh cookie,
// which scripts cannot read.
//
// A refresh secret that is used twice ends the session, so only one tab refreshes at a time: it holds a lock of the browser, and
// sends the new token to the other tabs. The channel reaches pages of this origin only, and /docs has an origin of its own.
import { Failure } from "../api/failure.ts";
import { send } from "../api/send.ts";
import { createStore } from "./store.ts";
import { isStale, type Token, userOf } from "./token.ts";
import { refreshOver, refreshSent, refreshSettled } from "./unsettled-refresh.ts";

export type Session =
  | { readonly status: "starting" }
  | { readonly status: "signed in"; readonly token: Token }
  | {
      readonly status: "signed out";
      /** True if the user signed out here or in another tab, false if the session ended or there was none. */
      readonly isByUser: boolean;
    };

type Message = { readonly token: Token } | { readonly signedOut: true; readonly isByUser: boolean };

const NAME = "tradepost-session";
const UNAUTHORIZED = 401;

export const session = createStore<Session>({ status: "starting" });
const otherTabs = new BroadcastChannel(NAME);

otherTabs.onmessage = ({ data }: MessageEvent<Message>) => {
  if ("signedOut" in data) return session.set({ status: "signed out", isByUser: data.isByUser });
  const before = session.get();
  // Another user signed in. The data on this tab's screen is not theirs.
  if (before.status === "signed in" && userOf(before.token) !== userOf(data.token)) return location.reload();
  session.set({ status: "signed in", token: data.token });
};

/** A sign-in whose password was right, and which needs a code. */
export interface UnfinishedSignIn {
  readonly token: string;
}

/** Exactly one of them. */
export type Proof = { readonly code: string } | { readonly recoveryCode: string };

/** Resolves with null once the user is signed in. Rejects with a `Failure`. */
export async function signIn(email: string, password: string): Promise<UnfinishedSignIn | null> {
  const { data } = await send("login", { body: { email, password } });
  if ("secondFactor" in data) return data.secondFactor;
  adopt({ token: data.token, expiresAt: data.expiresAt });
  return null;
}

/** Rejects with a `Failure`. */
export async function finishSignIn({ token }: UnfinishedSignIn, proof: Proof): Promise<void> {
  const { data } = await send("finishSignIn", { body: { token, ...proof } });
  adopt({ token: data.token, expiresAt: data.expiresAt });
}

/** Ends the session here and in every tab. */
export async function signOut(): Promise<void> {
  await exclusively(() => send("logout", {}));
  leave(true);
}

/** Continues the session that the browser has, if any. Rejects with a `Failure` if that cannot be known now. */
export async function resume(): Promise<void> {
  if (session.get().status === "starting") await freshToken();
}

/**
 * Resolves with a token that is valid for a while and is not the `refused` one, or with undefined if nobody is signed in. Rejects
 * with a `Failure` if there is no connection.
 */
export async function freshToken(refused?: string): Promise<string | undefined> {
  return usableToken(refused) ?? (await exclusively(() => refresh(refused)));
}

async function refresh(refused: string | undefined): Promise<string | undefined> {
  // Another tab may have refreshed, or signed out, while this one waited for the lock.
  if (session.get().status === "signed out") return undefined;
  const usable = usableToken(refused);
  if (usable !== undefined) return usable;
  try {
    refreshSent();
    // A reload must not cancel the refresh: the cookie with the new secret would be lost, and the old one ends the session.
    const { data } = await send("refreshToken", {}, { outlivesPage: true });
    refreshOver();
    adopt({ token: data.token, expiresAt: data.expiresAt });
    return data.token;
  } catch (error) {
    // Some browsers end the requests of a page that is left as if there were no connection. The refresh may still be carried out.
    if (error instanceof Failure && error.status !== 0) refreshOver();
    if (!(error instanceof Failure) || error.status !== UNAUTHORIZED) throw error;
    leave(false);
    return undefined;
  }
}

function usableToken(refused: string | undefined): string | undefined {
  const current = session.get();
  if (current.status !== "signed in" || isStale(current.token, Date.now())) return undefined;
  return current.token.token === refused ? undefined : current.token.token;
}

function adopt(token: Token): void {
  session.set({ status: "signed in", token });
  otherTabs.postMessage({ token } satisfies Message);
}

function leave(isByUser: boolean): void {
  session.set({ status: "signed out", isByUser });
  otherTabs.postMessage({ signedOut: true, isByUser } satisfies Message);
}

/** Runs the action while no other tab runs one. Browsers have locks only over https and on localhost. */
async function exclusively<Result>(action: () => Promise<Result>): Promise<Result> {
  const locks: LockManager | undefined = navigator.locks;
  const settled = async () => {
    // A page that is closed loses its lock, but its refresh continues.
    await refreshSettled();
    return await action();
  };
  return locks === undefined ? await settled() : await locks.request(NAME, settled);
}
