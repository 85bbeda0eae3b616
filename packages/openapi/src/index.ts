// The public surface of openapi: see README.md.
export { openApiDocument } from "./document.ts";
export { descriptionFaults } from "./faults.ts";
export type { Example } from "./operation.ts";
