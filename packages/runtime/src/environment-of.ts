// Which environment each service gets when several run in one process. Pure.

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that, without a service's name in front, belong to the gateway: other services need their own addresses. */
const GATEWAYS = ["HOST", "PORT"];

/**
 * Returns the environment of a service. A variable with the service's name in front belongs only to that service, and takes
 * precedence over the same variable without it: ORDERS_PORT is the PORT of orders.
 */
export function environmentOf(service: string, environment: Environment): Environment {
  const prefix = `${service.toUpperCase()}_`;
  const set = Object.entries(environment).filter(([, value]) => value !== "");
  const shared = set.filter(([name]) => service === "gateway" || !GATEWAYS.includes(name));
  const own = set
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value]);
  return Object.fromEntries([...shared, ...own]);
}
