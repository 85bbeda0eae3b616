// Describes the operations on content types (interface §5). Pure.
import { contentType } from "@tradepost/event-catalog";
import { type About, data, page } from "@tradepost/http";
import { z } from "zod";
import { contentTypeInput } from "../../content-type/content-type-input.ts";

const tag = "Content types";

const params = {
  slug: z.string().describe("The slug: 1 to 64 lower-case letters, digits and single hyphens."),
};

export const contentTypeAbouts = {
  put: {
    id: "putContentType",
    tag,
    summary: "Create a content type or change its fields",
    description:
      "201 if the slug is new. A change that would make an existing entry invalid is refused. A PUT that changes nothing leaves the version and emits no event. With `If-Match` it only changes a type: if there is none with this slug, it is 412.",
    params,
    body: contentTypeInput,
    responses: { 200: data(contentType), 201: data(contentType) },
    location: true,
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
    params,
    responses: { 200: data(contentType) },
    etag: true,
  },
} satisfies Record<string, About>;
