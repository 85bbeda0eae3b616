// Tells the webhooks service, which does not know the users, which e-mail addresses it may send notices to (interface §17).
import type { IncomingMessage } from "node:http";
import type { Principal } from "@tradepost/http";
import type { FindConfirmedEmails } from "../identity/identity.ts";
import type { RequestBody } from "./request-body.ts";

const PATH = "/v1/notices/destination";
// More in one request are refused anyway.
const EMAILS_MAX = 10;

export type ConfirmEmails = ReturnType<typeof confirmEmails>;

export function confirmEmails(find: FindConfirmedEmails) {
  return async (principal: Principal, { method, url }: IncomingMessage, body: RequestBody) => {
    if (method !== "PUT" || url !== PATH || body.kind !== "whole") return principal;
    const emails = emailsIn(body.bytes);
    if (emails.length === 0) return principal;
    return { ...principal, confirmedEmails: await find(principal.tenantId, emails) };
  };
}

function emailsIn(bytes: Buffer): string[] {
  try {
    const { emails } = JSON.parse(bytes.toString()) as { emails?: unknown };
    const texts = Array.isArray(emails) ? emails.slice(0, EMAILS_MAX) : [];
    return texts.filter((one) => typeof one === "string").map((email) => email.toLowerCase());
  } catch {
    return [];
  }
}
