// Shown in place of all screens to a user without a second factor, while the shop requires one.
import { useQueryClient } from "@tanstack/react-query";
import type { Me } from "../data/me.ts";
import { say } from "../data/messages.ts";
import { signOut } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { Alone } from "../ui/screen.tsx";
import { SecondFactorSetup } from "../ui/second-factor-setup.tsx";

export default function RequiredSecondFactor({ me: { tenant } }: { readonly me: Me }) {
  const cache = useQueryClient();
  const leave = () => signOut().catch(() => say("You are still signed in: Tradepost does not respond."));
  return (
    <Alone
      title="Set up a second factor"
      intro={`${tenant.name} requires one of everybody: a code from your phone, besides the password. Then you can go on.`}
      isWide
    >
      <SecondFactorSetup onDone={() => cache.invalidateQueries()}>
        <Button text="Sign out" onClick={leave} />
      </SecondFactorSetup>
    </Alone>
  );
}
