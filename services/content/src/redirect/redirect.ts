// The door of this wing: redirects, and how they follow entries to new paths.
export { type RedirectContext, redirectRoutes } from "./redirect-routes.ts";
export { lockRedirects, redirectsLock } from "./redirect-store.ts";
export { retargetRedirects } from "./retarget-redirects.ts";
