// The door of this wing: customers.
export { type CustomerContext, customerRoutes } from "./customer-routes.ts";
