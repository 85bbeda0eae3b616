// The routes of the webhooks service.
export { routes } from "./http/http.ts";
