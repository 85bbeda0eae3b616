// Describes the operation that reads this description (interface §11). Pure.
import { type About, bareJson } from "@tradepost/http";
import { z } from "zod";

const apiDescription = z
  .looseObject({
    openapi: z.string(),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.looseObject({}).describe("The operations, by path and method"),
  })
  .meta({ description: "An OpenAPI 3.1 document." });

export const descriptionAbouts = {
  get: {
    id: "getApiDescription",
    tag: "Description",
    summary: "Get this description",
    description: "A change of the API changes the `ETag`.",
    responses: { 200: bareJson(apiDescription) },
    etag: true,
  },
} satisfies Record<string, About>;
