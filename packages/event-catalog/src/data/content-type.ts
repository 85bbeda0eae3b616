// The content type in its event, as in the API.
import { z } from "zod";

const field = z.strictObject({
  key: z.string().describe("The field's name in an entry's `data`."),
  type: z
    .enum(["text", "richtext", "number", "boolean", "datetime", "media", "reference", "json"])
    .describe("`media` and `reference` hold the id of a media asset or of an entry."),
  required: z.boolean().describe("Whether an entry needs it to go live; a draft may lack it."),
});

export const contentType = z
  .strictObject({
    slug: z.string(),
    name: z.string(),
    fields: z.array(field),
    version: z.int().positive().describe("Grows with every change; the `ETag`."),
  })
  .meta({ id: "ContentType", description: "A content type: the fields that its entries have." });

const article = {
  slug: "article",
  name: "Article",
  fields: [
    { key: "title", type: "text", required: true },
    { key: "body", type: "richtext", required: false },
  ],
  version: 1,
};

export const contentTypeEvents = {
  "content_type.upserted": { schema: z.strictObject({ contentType }), example: { contentType: article } },
};
