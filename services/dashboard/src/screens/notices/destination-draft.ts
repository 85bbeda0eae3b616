import type { BodyOf, DataOf } from "@tradepost/client/operations";
import { NOTICE_KINDS, type NoticeKind, wordingOf } from "./texts.ts";

export type Stored = DataOf<"getNoticeDestination">;
export type Draft = Pick<Stored, "url" | "emails" | "kinds">;

export const ALL_KINDS = Object.keys(NOTICE_KINDS) as NoticeKind[];
export const EMPTY: Draft = { url: null, emails: [], kinds: null };

/** If all kinds are chosen, they are stored as null, so that kinds of a later release are sent too. */
export function draftIn(form: FormData): Draft {
  const kinds = form.getAll("kinds") as NoticeKind[];
  return {
    url: String(form.get("url")).trim() || null,
    emails: String(form.get("emails"))
      .split(/[\s,;]+/)
      .filter(Boolean),
    kinds: kinds.length === ALL_KINDS.length ? null : kinds,
  };
}

/** A request replaces the whole destination, so a rotation also sends the stored values. */
export function bodyOf({ url, emails, kinds }: Draft, rotate = false): BodyOf<"putNoticeDestination"> {
  return { url, emails, kinds, ...(rotate && { rotate }) };
}

export function kindsText({ kinds }: Pick<Draft, "kinds">): string {
  return kinds === null ? "All" : kinds.map((kind) => wordingOf(kind).text).join(", ");
}
