// Data of events as the content service emits them.
import { eventData } from "@tradepost/event-catalog";

/** The data of the type's example, with some fields of its resource, which comes first, replaced. */
export function exampleData(type: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const data = eventData[type]?.example ?? {};
  const [resource = ""] = Object.keys(data);
  return { ...data, [resource]: { ...(data[resource] as object), ...fields } };
}
