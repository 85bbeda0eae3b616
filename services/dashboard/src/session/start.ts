// The first requests of a page: the session that the browser has, and its user.
import type { DataOf } from "@tradepost/client/operations";
import type { Reply } from "../api/send.ts";
import { request } from "./request.ts";
import { resume, session } from "./session.ts";

type MeReply = Reply<DataOf<"getMe">>;

let started: Promise<MeReply | undefined> | undefined;

export function startSession(): void {
  started = resume()
    .then(() => (session.get().status === "signed in" ? request("getMe", {}) : undefined))
    // Code that needs the session or the user requests it again, and handles the failure.
    .catch(() => undefined);
}

/** Returns the user whom `startSession` has read; undefined if it could not. Only the first caller gets it, because it soon is outdated. */
export async function takeStartedMe(): Promise<MeReply | undefined> {
  const mine = started;
  started = undefined;
  return await mine;
}
