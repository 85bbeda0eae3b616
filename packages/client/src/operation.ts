// One row of the generated table of operations.

/** What the OpenAPI document says of an operation, as far as sending needs it. */
export interface Operation {
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  /** With names in braces: `/v1/orders/{id}`. */
  readonly path: string;
  /** How its method on the client behaves. */
  readonly kind: "plain" | "list" | "feed" | "file" | "bare";
  readonly input: "none" | "query" | "body" | "form";
  readonly takesKey?: true;
  readonly takesIfMatch?: true;
  readonly takesIfNoneMatch?: true;
}
