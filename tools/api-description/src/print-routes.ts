// `npm run tool -- routes`: prints each route, who may use it, and its operation id in the API description.
import { table } from "@tradepost/ops/table";
import { routeTable } from "./route-table.ts";

const rows = routeTable.map(({ method, path, module, role, scope, usersOnly, about }) => ({
  method,
  path,
  module,
  role,
  scope: usersOnly ? "users only" : [scope].flat().join(" or "),
  handler: about?.id,
}));
console.log(table(rows, ""));
