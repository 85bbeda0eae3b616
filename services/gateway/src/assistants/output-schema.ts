// Parts of the tools' output schemas.

export const text = { type: "string" };
export const textOrNull = { type: ["string", "null"] };
export const integer = { type: "integer" };
export const amount = { type: "number" };
export const anyObject = { type: "object" };

export function object(properties: Record<string, object>, required = Object.keys(properties)) {
  return { type: "object", properties, required };
}

export function list(items: object = anyObject) {
  return { type: "array", items };
}

export function oneOf(...values: string[]) {
  return { enum: values };
}

export function pageOf(name: string, items: object) {
  return object({ [name]: list(items), next_cursor: textOrNull });
}

export const untrustedText = object({ untrusted_text: text });
