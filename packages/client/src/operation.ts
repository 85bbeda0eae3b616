/** The facts about an operation in the OpenAPI document that are needed to send it. */
export interface Operation {
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  /** A path with names in braces: `/v1/orders/{id}`. */
  readonly path: string;
  readonly kind: "plain" | "list" | "feed" | "file" | "bare";
  readonly input: "none" | "query" | "body" | "form";
  readonly takesKey?: true;
  readonly takesIfMatch?: true;
  readonly takesIfNoneMatch?: true;
}
