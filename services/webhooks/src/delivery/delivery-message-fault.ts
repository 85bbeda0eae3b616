import { decodeDeadLetterMessage } from "./dead-letter-message.ts";
import { decodeJob } from "./job.ts";

/** Why a message in webhooks.deliveries cannot be read. Returns null if it can: it is a job, or a dead letter moved by hand. */
export function deliveryMessageFault(content: Buffer): string | null {
  const isReadable = decodeJob(content) !== null || decodeDeadLetterMessage(content) !== null;
  return isReadable ? null : "not a delivery: delivery_id, tenant_id, generation and attempt are expected";
}
