// The door of this wing: content types, and the data that their fields allow.
export { type ContentTypeContext, contentTypeRoutes } from "./content-type-routes.ts";
export { lockContentType, lockContentTypes } from "./content-type-store.ts";
export { dataFaults } from "./fields.ts";
