// The content type in its event: the same as in the API.
import { z } from "zod";

/** `data` of content_type.upserted. */
export const contentTypeData = z.strictObject({
  contentType: z.strictObject({
    slug: z.string(),
    name: z.string(),
    fields: z.array(
      z.strictObject({
        key: z.string(),
        type: z.enum(["text", "richtext", "number", "boolean", "datetime", "media", "reference", "json"]),
        required: z.boolean(),
      }),
    ),
    version: z.int().positive(),
  }),
});

/** An example of content_type.upserted. */
export const contentTypeExample = {
  contentType: {
    slug: "article",
    name: "Article",
    fields: [
      { key: "title", type: "text", required: true },
      { key: "body", type: "richtext", required: false },
    ],
    version: 1,
  },
};
