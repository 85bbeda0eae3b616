// The door of this wing: sends notices to their tenant's destination.
import type { Logger } from "@tradepost/runtime";
import { createTransport } from "nodemailer";
import type { Pool } from "pg";
import type { Settings } from "../config.ts";
import type { Send } from "../sending/sending.ts";
import { type SendingNotices, type SendMail, startSendingNotices } from "./send-notices.ts";

export { type DestinationContext, destinationRoutes } from "./destination-routes.ts";

export interface DestinationTimes {
  /** A mail lists the notices that opened within this time, in ms. */
  readonly mailAfterMs?: number;
}

interface Options extends DestinationTimes {
  settings: Settings;
  pool: Pool;
  send: Send;
  lockMs: number;
  logger: Logger;
}

export function startDestinations(options: Options): SendingNotices & { readonly canMail: boolean } {
  const { settings, ...parts } = options;
  const sendMail = mailerOf(settings);
  const sending = startSendingNotices({ ...parts, schedule: settings.WEBHOOKS_RETRY_SCHEDULE, sendMail });
  return { ...sending, canMail: sendMail !== null };
}

// Must be less than the time for which a mail is claimed.
const MAIL_TIMEOUT_MS = 10_000;

function mailerOf({ NOTICES_SMTP_URL, NOTICES_MAIL_FROM }: Settings): SendMail | null {
  if (NOTICES_SMTP_URL === undefined || NOTICES_MAIL_FROM === undefined) return null;
  const transport = createTransport({
    url: NOTICES_SMTP_URL,
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from: NOTICES_MAIL_FROM, to, subject, text });
  };
}
