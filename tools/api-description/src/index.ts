// The public surface of api-description: see README.md.
export { breakingChanges } from "./breaking-changes.ts";
export { openApiDocument } from "./document.ts";
export { eventsDocument } from "./events-document.ts";
export { descriptionFaults } from "./faults.ts";
export type { Document, Operation, Parameter } from "./open-api.ts";
export type { Example } from "./operation.ts";
