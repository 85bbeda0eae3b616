// Shown in place of all screens to a user without a second factor, while the shop requires one.
import { useQueryClient } from "@tanstack/react-query";
import type { Me } from "../data/me.ts";
import { Button } from "../ui/button.tsx";
import { Alone } from "../ui/screen.tsx";
import { SecondFactorSetup } from "../ui/second-factor-setup.tsx";
import { signOutNow } from "../ui/unsaved.ts";

export default function RequiredSecondFactor({ me: { tenant } }: { readonly me: Me }) {
  const cache = useQueryClient();
  return (
    <Alone
      title="Set up a second factor"
      intro={`${tenant.name} requires one of everybody: a code from your phone, besides the password. Then you can go on.`}
      isWide
    >
      <SecondFactorSetup onDone={() => cache.invalidateQueries()}>
        <Button text="Sign out" onClick={signOutNow} />
      </SecondFactorSetup>
    </Alone>
  );
}
