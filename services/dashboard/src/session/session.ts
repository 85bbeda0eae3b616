// The session of the user who is signed in. The token is kept only in the memory of each tab; the browser keeps the refresh cookie,
// which scripts cannot read, and the user's e-mail as long as the session lasts.
//
// A refresh secret that is used twice ends the session, so only one tab refreshes at a time: it holds a lock of the browser, and
// sends the new token to the other tabs. The channel reaches pages of this origin only, and /docs has an origin of its own.
import { Failure } from "../api/failure.ts";
import { send } from "../api/send.ts";
import { keep, stored } from "./storage.ts";
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
      /** The e-mail of the user whose session ended by itself, if it is known. */
      readonly email?: string | undefined;
    };

type Message = Exclude<Session, { readonly status: "starting" }>;

// Names the lock, the channel, the stored e-mail and the expected address.
const NAME = "tradepost-session";
const UNAUTHORIZED = 401;

export const session = createStore<Session>({ status: "starting" });
const otherTabs = new BroadcastChannel(NAME);

otherTabs.onmessage = ({ data }: MessageEvent<Message>) => {
  const before = session.get();
  const hasUsers = before.status === "signed in" && data.status === "signed in";
  // Another user signed in. The data on this tab's screen is not theirs.
  if (hasUsers && userOf(before.token) !== userOf(data.token)) return location.reload();
  session.set(data);
};

/** A sign-in with the right password that still needs a code. */
export interface UnfinishedSignIn {
  readonly token: string;
  readonly email: string;
}

export type Proof = { readonly code: string } | { readonly recoveryCode: string };

/** Resolves with null once the user is signed in. Rejects with a `Failure`. */
export async function signIn(email: string, password: string): Promise<UnfinishedSignIn | null> {
  // A refresh that is refused later would end the new session.
  await resume().catch(() => undefined);
  const { data } = await send("login", { body: { email, password } });
  if ("secondFactor" in data) return { token: data.secondFactor.token, email };
  adopt(data, email);
  return null;
}

export async function finishSignIn({ token, email }: UnfinishedSignIn, proof: Proof): Promise<void> {
  const { data } = await send("finishSignIn", { body: { token, ...proof } });
  adopt(data, email);
}

/**
 * For a sign-in at the provider: when the browser comes back, it waits for the session before it shows a screen, and then opens the
 * address `next`.
 */
export function expectSession(next = "/"): void {
  keep(NAME, "");
  keep(NAME, next, "sessionStorage");
}

/** Returns the address of `expectSession`, once. */
export function expectedAddress(): string {
  const next = stored(NAME, "sessionStorage") ?? "/";
  keep(NAME, null, "sessionStorage");
  return next;
}

export async function signOut(): Promise<void> {
  await exclusively(() => send("logout", {}));
  leave(true);
}

/** Reports whether the browser has stored that somebody is signed in, or stores nothing. Only `resume` is certain. */
export function mayResume(): boolean {
  return stored(NAME) !== null;
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
    // A reload must not cancel the refresh: the cookie with the new secret would be lost, and the old secret ends the session.
    const { data } = await send("refreshToken", {}, { outlivesPage: true });
    refreshOver();
    adopt(data, stored(NAME) ?? "");
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

function adopt({ token, expiresAt }: Token, email: string): void {
  keep(NAME, email);
  become({ status: "signed in", token: { token, expiresAt } });
}

function leave(isByUser: boolean): void {
  const email = isByUser ? undefined : stored(NAME) || undefined;
  keep(NAME, null);
  become({ status: "signed out", isByUser, email });
}

/** Sets the session in this tab and in the others. */
function become(next: Message): void {
  session.set(next);
  otherTabs.postMessage(next);
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
