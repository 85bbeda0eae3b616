// The shop, and the user's role in it.
import type { Me } from "../../data/me.ts";

const MODULES = [
  { name: "crm", title: "orders and customers" },
  { name: "content", title: "content, media and redirects" },
] as const;

export function Shop({ me: { actor, tenant } }: { readonly me: Me }) {
  const active = MODULES.filter(({ name }) => tenant.modules.includes(name)).map(({ title }) => title);
  return (
    <p className="shop">
      Shop id <code>{tenant.id}</code> · Your role: {actor.role} · Active:{" "}
      {active.length > 0 ? active.join("; ") : "no module"}
    </p>
  );
}
