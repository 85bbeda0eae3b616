export { type CustomerContext, customerRoutes } from "./customer-routes.ts";
export { findCustomer } from "./customer-store.ts";
