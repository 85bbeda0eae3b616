// Where a signed-in user begins: who they are here, what the shop has, and what to do next.

import { Link } from "@tanstack/react-router";
import { holderOf, useMe } from "../../data/me.ts";
import { isAllowed } from "../../session/roles.ts";
import { Badge } from "../../ui/badge.tsx";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Screen } from "../../ui/screen.tsx";
import "./overview.css";

const MODULES = [
  { name: "crm", title: "Orders and customers" },
  { name: "content", title: "Content, media and redirects" },
] as const;

export function Overview() {
  const me = useMe();
  const { actor, tenant } = me;
  return (
    <Screen title={tenant.name} intro={`Welcome, ${actor.name}.`}>
      <Facts label="This shop">
        <Fact name="Your role">{actor.role}</Fact>
        {MODULES.map(({ name, title }) => (
          <Fact key={name} name={title}>
            {tenant.modules.includes(name) ? (
              <Badge tone="good">Active</Badge>
            ) : (
              <Badge tone="quiet">Not active</Badge>
            )}
          </Fact>
        ))}
        <Fact name="Shop id">
          <code>{tenant.id}</code>
        </Fact>
      </Facts>
      <section className="next" aria-labelledby="next">
        <h2 id="next">What to do next</h2>
        <ul>
          {isAllowed(holderOf(me), { role: "admin" }) && (
            <li>
              <Link to="/ai-integrations">Connect a program or an assistant</Link>
              <p className="soft">An API key says what it may read and change.</p>
            </li>
          )}
          <li>
            <a href="/docs">Look up a request</a>
            <p className="soft">The API reference lists all of them, and you can try them out there.</p>
          </li>
        </ul>
      </section>
      <BehindTheScreen operation="getMe" />
    </Screen>
  );
}
