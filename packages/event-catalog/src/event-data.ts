// The data of each event that some service here emits: its schema and an example (contract §6). Producers' tests
// check what they publish against it; consumers and documentation read it.
import type { z } from "zod";
import { orderData, orderExample } from "./data/order.ts";
import { redirectData, redirectExample } from "./data/redirect.ts";

export interface EventData {
  readonly schema: z.ZodType;
  readonly example: Readonly<Record<string, unknown>>;
}

/** By event type. */
export const eventData: Readonly<Record<string, EventData>> = {
  "order.placed": { schema: orderData, example: orderExample },
  "redirect.added": { schema: redirectData, example: redirectExample },
  "redirect.removed": { schema: redirectData, example: redirectExample },
};
