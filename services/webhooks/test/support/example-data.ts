// Data of events as the content service emits them.
import { eventData } from "@tradepost/event-catalog";

/** The data of the type's example, with some fields of its resource replaced. */
export function exampleData(type: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(eventData[type]?.example ?? {}).map(([name, resource]) => [
      name,
      { ...(resource as object), ...fields },
    ]),
  );
}
