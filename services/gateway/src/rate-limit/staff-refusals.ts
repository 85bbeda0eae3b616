// Limits refused changes of a tenant's staff (interface §2). A taken e-mail tells that somebody on the platform has it, and
// each refusal has an audit entry.
import type { CountLimited } from "./count-limited.ts";
import type { LimiterStore } from "./limiter-store.ts";
import { rateLimited } from "./rate-limited.ts";
import { consumeOne } from "./sign-in-limit.ts";

const HOUR_SECONDS = 3_600;
const TAKEN_EMAILS_MAX = 10;
// So that a script cannot fill the audit log.
const RECORDED_MAX = 30;

export interface StaffRefusals {
  /** Throws 429 while the tenant has had as many taken e-mails as an hour allows. */
  checkEmails(tenantId: string): Promise<void>;
  /** Counts a refusal because of a taken e-mail. Throws 429 beyond the limit. */
  countEmail(tenantId: string): Promise<void>;
  /** Whether a refusal gets an audit entry. */
  isRecorded(tenantId: string): Promise<boolean>;
}

export function staffRefusals(store: LimiterStore, countLimited: CountLimited): StaffRefusals {
  const emails = store.limiter("taken-emails", TAKEN_EMAILS_MAX, HOUR_SECONDS);
  const recorded = store.limiter("staff-refusals", RECORDED_MAX, HOUR_SECONDS);
  const refuse = (msBeforeNext: number) => {
    countLimited("taken_emails");
    const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    return rateLimited("Too many of the e-mails were taken.", String(retryAfterSeconds));
  };
  return {
    checkEmails: async (tenantId) => {
      const state = await emails.get(tenantId);
      if (state !== null && state.consumedPoints >= TAKEN_EMAILS_MAX) throw refuse(state.msBeforeNext);
    },
    countEmail: async (tenantId) => {
      const { state, isOver } = await consumeOne(emails, tenantId);
      if (isOver) throw refuse(state.msBeforeNext);
    },
    isRecorded: async (tenantId) => !(await consumeOne(recorded, tenantId)).isOver,
  };
}
