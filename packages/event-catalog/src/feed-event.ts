// The events of the change feeds as the API shows them (interface §10).
import { z } from "zod";
import { eventData } from "./event-data.ts";

export const actor = z
  .strictObject({
    type: z.enum(["api_key", "user"]),
    id: z.string(),
    name: z.string().describe("The key's label or the user's name at that time."),
  })
  .meta({ id: "Actor", description: "Who caused it." });

/**
 * A union with one schema for each `type` (interface §10).
 *
 * @throws an Error for a type without a schema for its data.
 */
export function feedEvents(types: readonly string[]): z.ZodType {
  const [first, ...others] = types.map(feedEvent);
  if (first === undefined) throw new Error("a feed has at least one type");
  return z.discriminatedUnion("type", [first, ...others]);
}

function feedEvent(type: string) {
  const data = eventData[type]?.schema;
  if (data === undefined) throw new Error(`no schema of ${type}`);
  return z
    .strictObject({
      id: z.uuid().describe("The same wherever the event is seen."),
      type: z.literal(type),
      occurredAt: z.iso.datetime().describe("When it was committed."),
      requestId: z.string().describe("The `X-Request-Id` of the request that caused it."),
      actor,
      data,
    })
    .meta({ id: componentName(type) });
}

/** `content.entry.created` becomes `ContentEntryCreatedEvent`. */
export function componentName(type: string): string {
  return `${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
}
