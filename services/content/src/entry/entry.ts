export { publicationRoutes } from "./entry-publication-routes.ts";
export { revisionRoutes } from "./entry-revision-routes.ts";
export { type EntryContext, entryRoutes } from "./entry-routes.ts";
export { startPublishingDue } from "./start-publishing-due.ts";
