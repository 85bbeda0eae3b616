// Describes the operations on content types (interface §5). Pure.
import { contentType } from "@tradepost/event-catalog";
import { type About, data, page } from "@tradepost/http";
import { contentTypeInput } from "../../content-type/content-type-input.ts";

const tag = "Content types";

export const contentTypeAbouts = {
  put: {
    id: "putContentType",
    tag,
    summary: "Create a content type or change its fields",
    description:
      "201 if the slug is new. A change that would make an existing entry invalid is refused. A PUT that changes nothing leaves the version and emits no event. With `If-Match` it only changes a type: if there is none with this slug, it is 412.",
    body: contentTypeInput,
    responses: { 200: data(contentType), 201: data(contentType) },
    errors: ["content_type_in_use"],
    etag: true,
    ifMatch: true,
    emits: ["content_type.upserted"],
  },
  list: {
    id: "listContentTypes",
    tag,
    summary: "List content types, newest first",
    responses: { 200: page(contentType) },
  },
  get: {
    id: "getContentType",
    tag,
    summary: "Get a content type",
    responses: { 200: data(contentType) },
    etag: true,
  },
} satisfies Record<string, About>;
