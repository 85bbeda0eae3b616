// The tool only reads; people change subscriptions.
import { ApiError, type ErrorCode } from "@tradepost/http";
import { z } from "zod";
import { detail, id, page } from "../arguments.ts";
import { type Attempt, explainDelivery, failedPhase } from "../explain-delivery.ts";
import * as schema from "../output-schema.ts";
import { fieldsOf, type ServiceCalls } from "../service-calls.ts";
import { READ_CONTENT, tool } from "../tool.ts";
import { plain, untrusted, untrustedIfAny } from "../untrusted-text.ts";

interface ApiSubscription {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly active: boolean;
  readonly health: {
    readonly status: string;
    readonly lastError: string | null;
    readonly [field: string]: unknown;
  };
}

interface ApiDelivery {
  readonly id: string;
  readonly status: string;
  readonly nextAttemptAt: string | null;
  readonly [field: string]: unknown;
}

interface ApiAttempt extends Attempt {
  readonly at: string;
  readonly responseBody: string | null;
}

// A tenant has at most 50.
const SUBSCRIPTIONS_MAX = 100;
// Ten endpoints with two notices each.
const NOTICES_MAX = 20;
const STATUSES = ["failed", "retrying"] as const;
// Joins the cursors of two lists; an empty one means that its list has ended.
const CURSOR_SEPARATOR = "~";
// Leaves connections for the tenant's other requests.
const READS_AT_A_TIME = 4;
const SUBJECT_CHARACTERS_MAX = 360;
const RESPONSE_CHARACTERS = { concise: 300, full: 2_048 };

const deliverySchema = schema.object(
  { id: schema.text, explanation: schema.text, response: schema.untrustedText },
  ["id", "explanation"],
);

export const webhookProblems = tool({
  name: "webhook_problems",
  title: "Explain webhook problems",
  description:
    "Shows the open notices, each with what happens next, the webhook endpoints that are failing or paused, and the latest deliveries that failed for good or are being retried, with reason, explanation and the receiver's response. Use it when an integration got no events. It changes nothing; redelivering and settings are for administrators.",
  needs: [READ_CONTENT],
  effect: "reads",
  input: z.strictObject({
    subscription_id: id("Only this endpoint (a UUID).").optional(),
    status: z
      .enum(STATUSES)
      .optional()
      .describe("failed: given up; retrying: tried again later. Default: half of the page for each."),
    detail,
    limit: page.limit.default(5),
    cursor: page.cursor,
  }),
  output: schema.object({
    notices: schema.list(),
    endpoints: schema.list(),
    deliveries: schema.list(deliverySchema),
    next_cursor: schema.textOrNull,
  }),
  run: async ({ subscription_id: subscriptionId, status, detail: shown, limit, cursor }, { services }) => {
    const notices = await services.get<Record<string, unknown>[]>("/v1/notices", {
      ...{ open: "true", subscriptionId },
      limit: NOTICES_MAX,
    });
    const subscriptions = await services.get<ApiSubscription[]>("/v1/webhooks/subscriptions", {
      limit: SUBSCRIPTIONS_MAX,
    });
    const statuses = status === undefined ? STATUSES : [status];
    const cursors = cursor?.split(CURSOR_SEPARATOR) ?? statuses.map(() => undefined);
    const lists = await Promise.all(
      statuses.map((one, index) => {
        const query = { subscriptionId, status: one, limit: Math.ceil(limit / statuses.length) };
        return listDeliveries(services, query, cursors.length === statuses.length ? cursors[index] : cursor);
      }),
    );
    const deliveries = lists.flatMap(({ data }) => data);
    const hasMore = lists.some(({ nextCursor }) => nextCursor !== null);
    const endpoints = subscriptions.data
      .filter((one) => subscriptionId === undefined || one.id === subscriptionId)
      .filter((one) => subscriptionId !== undefined || !one.active || one.health.status !== "healthy");
    const latest = await latestAttempts(deliveries, services);
    const counts = statuses.map(
      (one, index) =>
        `${lists[index]?.data.length ?? 0} ${one === "failed" ? "failed for good" : "being retried"}`,
    );
    const moreNotices =
      notices.nextCursor === null ? "" : ", the latest; there are more: pass subscription_id";
    return {
      summary: `Open notices: ${notices.data.length}${moreNotices}. Endpoints ${subscriptionId === undefined ? "that fail or are paused" : "asked for"}: ${endpoints.length}. Deliveries on this page: ${counts.join(", ")}${hasMore ? "; there are more: pass next_cursor as cursor" : ""}.`,
      structured: {
        notices: notices.data.map(shownNotice),
        endpoints: endpoints.map(shownEndpoint),
        deliveries: deliveries.map((delivery, index) =>
          shownDelivery(delivery, latest[index] ?? {}, RESPONSE_CHARACTERS[shown]),
        ),
        next_cursor: hasMore ? lists.map(({ nextCursor }) => nextCursor ?? "").join(CURSOR_SEPARATOR) : null,
      },
    };
  },
});

async function listDeliveries(
  services: ServiceCalls,
  query: { subscriptionId: string | undefined; status: string; limit: number },
  cursor: string | undefined,
) {
  if (cursor === "") return { data: [], nextCursor: null };
  return await services.get<ApiDelivery[]>("/v1/webhooks/deliveries", { ...query, cursor });
}

interface Latest {
  readonly attempt?: ApiAttempt | undefined;
  readonly unreadable?: string;
}

async function latestAttempts(deliveries: readonly ApiDelivery[], services: ServiceCalls): Promise<Latest[]> {
  const latest: Latest[] = [];
  for (let from = 0; from < deliveries.length; from += READS_AT_A_TIME) {
    const reads = deliveries.slice(from, from + READS_AT_A_TIME).map((one) => latestAttempt(one, services));
    latest.push(...(await Promise.all(reads)));
  }
  return latest;
}

const UNREADABLE: Partial<Record<ErrorCode, string>> = {
  payload_too_large: "Its event is too large to be read here; an administrator can read its attempts.",
  not_found: "It no longer exists.",
};

async function latestAttempt({ id: deliveryId }: ApiDelivery, services: ServiceCalls): Promise<Latest> {
  try {
    const path = `/v1/webhooks/deliveries/${deliveryId}`;
    const { data } = await services.get<{ attempts: readonly ApiAttempt[] }>(path);
    return { attempt: data.attempts.at(-1) };
  } catch (error) {
    const unreadable = error instanceof ApiError ? UNREADABLE[error.code] : undefined;
    if (unreadable === undefined) throw error;
    return { unreadable };
  }
}

function shownNotice(notice: Readonly<Record<string, unknown>>) {
  return {
    ...fieldsOf(notice, "kind", "subscriptionId", "whatHappensNext"),
    subject: untrusted(notice.subject, SUBJECT_CHARACTERS_MAX),
    since: notice.openedAt,
  };
}

/** The path of the URL is a secret for some receivers. */
function shownEndpoint({ id: subscriptionId, name, url, active, health }: ApiSubscription) {
  return {
    id: subscriptionId,
    name: untrusted(name, 100),
    host: untrusted(new URL(url).host, 255),
    active,
    health: health.status,
    ...fieldsOf(health, "consecutiveFailures", "lastSuccessAt", "lastFailureAt"),
    last_error: health.lastError === null ? null : plain(health.lastError),
  };
}

function shownDelivery(
  delivery: ApiDelivery,
  { attempt: last, unreadable }: Latest,
  responseCharactersMax: number,
) {
  return {
    ...fieldsOf(delivery, "id", "subscriptionId", "eventId", "type", "status"),
    ...fieldsOf(delivery, "attemptCount", "createdAt", "nextAttemptAt"),
    reason: last && {
      ...fieldsOf(last, "outcome", "statusCode", "at"),
      failed_phase: failedPhase(last),
    },
    explanation: unreadable ?? explainDelivery(delivery, last),
    response: untrustedIfAny(last?.responseBody, responseCharactersMax),
  };
}
