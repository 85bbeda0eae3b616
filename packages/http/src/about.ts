// The facts in the API description that do not follow from a route's other fields (interface §11).
import type { z } from "zod";
import type { ErrorCode } from "./api-error.ts";

export interface About {
  /** Unique over all services: `placeOrder`. Clients name their methods after it. */
  readonly id: string;
  readonly tag: string;
  /** An imperative without a full stop: `Place an order`. */
  readonly summary: string;
  readonly description?: string;
  /** Path parameters that are not ids, by name. */
  readonly params?: Readonly<Record<string, z.ZodType>>;
  /** For a route that validates its body with a function. */
  readonly body?: z.ZodType;
  /** A body that is not JSON, such as a form with a file. */
  readonly form?: { readonly mediaType: string; readonly schema: z.ZodType };
  readonly headers?: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<number, ResponseShape>>;
  /** Errors that do not follow from other fields of the route. */
  readonly errors?: readonly (ErrorCode | ErrorWithFields)[];
  /** True if a success has an `ETag`; a GET then honours `If-None-Match`. */
  readonly etag?: true;
  /** The response may change while its `ETag` does not. */
  readonly ignoresIfNoneMatch?: true;
  /** True if a 201 has the `Location` of the new resource. */
  readonly location?: true;
  readonly ifMatch?: true;
  /** Anyone who has the URL may send the request. */
  readonly needsNoCredential?: true;
  readonly emits?: readonly string[];
}

export interface ErrorWithFields {
  readonly code: ErrorCode;
  readonly fields: Readonly<Record<string, z.ZodType>>;
}

export type ResponseShape =
  | { readonly kind: "data"; readonly schema: z.ZodType }
  | { readonly kind: "page"; readonly item: z.ZodType; readonly more: Readonly<Record<string, z.ZodType>> }
  | { readonly kind: "feed"; readonly event: z.ZodType }
  | { readonly kind: "file"; readonly mediaTypes: readonly string[] }
  | { readonly kind: "json"; readonly schema: z.ZodType }
  | { readonly kind: "redirect" };

/** The shape `{success: true, data}`. */
export function data(schema: z.ZodType): ResponseShape {
  return { kind: "data", schema };
}

/** The shape `{success: true, data: [item], page: {nextCursor}}`, where `page` may have `more` fields. */
export function page(item: z.ZodType, more: Readonly<Record<string, z.ZodType>> = {}): ResponseShape {
  return { kind: "page", item, more };
}

/** The shape `{success: true, data: [event], page: {nextCursor, hasMore}}` (interface §10). */
export function feed(event: z.ZodType): ResponseShape {
  return { kind: "feed", event };
}

/** Bytes in one of these media types, such as `image/*`. */
export function file(...mediaTypes: readonly string[]): ResponseShape {
  return { kind: "file", mediaTypes };
}

/** A JSON response without the envelope. */
export function bareJson(schema: z.ZodType): ResponseShape {
  return { kind: "json", schema };
}

/** Sends a browser elsewhere, without a body. */
export const REDIRECT: ResponseShape = { kind: "redirect" };
