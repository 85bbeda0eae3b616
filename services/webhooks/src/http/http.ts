// The door of this wing.
export { routes } from "./routes.ts";
