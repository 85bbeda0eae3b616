// The resource that an event is about: `{redirect: {id, …}}`, `{entry: {id, …}}`. Pure.

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns null if the first field of the data has no UUID as its `id`. */
export function resourceIdOf(data: Readonly<Record<string, unknown>>): string | null {
  const [resource] = Object.values(data);
  if (typeof resource !== "object" || resource === null || !("id" in resource)) return null;
  const { id } = resource;
  return typeof id === "string" && UUID.test(id) ? id : null;
}
