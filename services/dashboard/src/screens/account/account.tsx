// The signed-in user: name and role, sessions, second factor, and password.
import { useMe } from "../../data/me.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Screen } from "../../ui/screen.tsx";
import { RoleText } from "../staff/door.ts";
import { ChangePassword } from "./change-password.tsx";
import { MY_SESSIONS_QUERY, MySessions } from "./my-sessions.tsx";
import { SecondFactor } from "./second-factor.tsx";

export default function Account() {
  const { actor, tenant } = useMe();
  return (
    <Screen title="Your account">
      <Facts label="About you">
        <Fact name="Name">{actor.name}</Fact>
        <Fact name="Role">
          <RoleText role={actor.role} />
        </Fact>
        <Fact name="Shop">{tenant.name}</Fact>
      </Facts>
      <MySessions />
      <SecondFactor />
      <ChangePassword />
      <BehindTheScreen operation="listMySessions" input={{ query: MY_SESSIONS_QUERY }} />
    </Screen>
  );
}
