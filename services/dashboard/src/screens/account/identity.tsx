import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useMe } from "../../data/me.ts";
import { useProvider } from "../../data/use-provider.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/change-dialogs.tsx";
import { ProviderFailure } from "../../ui/provider-failure.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/time.tsx";

export function Identity() {
  const { failure } = useSearch({ from: "/app/account" });
  const { identity } = useMe().actor;
  const { isOffered, name } = useProvider();
  const [isAsking, setAsking] = useState(false);
  if (!identity && !isOffered) return null;
  return (
    <Section
      title={`Sign-in with ${name}`}
      intro={`Once your account there is linked, you need no password and no code here.`}
      action={
        identity ? (
          <Button text="Unlink" onClick={() => setAsking(true)} />
        ) : (
          <a className="button button-plain" href="/v1/auth/oidc/start?link=true">
            Link your account
          </a>
        )
      }
    >
      {failure && <ProviderFailure failure={failure} />}
      <p>
        {identity ? (
          <>
            Linked{identity.email !== null && " to "}
            <bdi>{identity.email}</bdi>, since <Time at={identity.linkedAt} />, at{" "}
            <bdi>{new URL(identity.issuer).host}</bdi>.
          </>
        ) : (
          "Not linked."
        )}
      </p>
      {isAsking && (
        <Confirm
          title={`Unlink ${name}?`}
          action="Unlink"
          operation="unlinkMyIdentity"
          input={{}}
          stale={["getMe", "listMySessions"]}
          done="Your account is unlinked. Your other sessions have ended."
          onClose={() => setAsking(false)}
        >
          <p>
            You then sign in with your password. If you have none, set one before. Your other sessions end.
          </p>
        </Confirm>
      )}
    </Section>
  );
}
