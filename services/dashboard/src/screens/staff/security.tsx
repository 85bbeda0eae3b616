// Whether the shop requires a second factor of everybody, and accepts passwords. Owners change it; relaxing it needs a code.
import { useMe } from "../../data/me.ts";
import { useRead } from "../../data/operations.ts";
import { useProvider } from "../../data/use-provider.ts";
import { ChangeDialog, Confirm, DialogButton } from "../../ui/change-dialogs.tsx";
import { CodeField, codeOf } from "../../ui/code-field.tsx";
import { useFault } from "../../ui/form.tsx";
import { ReadView } from "../../ui/list.tsx";
import { Section } from "../../ui/screen.tsx";
import type { Person } from "./manage.ts";

const STALE = ["getSecurity", "getMe"] as const;

export function Security({ people }: { readonly people: readonly Person[] }) {
  const { actor } = useMe();
  const read = useRead("getSecurity");
  const isRequired = read.data?.requireSecondFactor;
  return (
    <Section
      title="Second factor"
      intro="A code from the phone, besides the password. Keys of programs are not affected."
      action={
        <DialogButton
          text={isRequired ? "Stop requiring it" : "Require it of everybody"}
          isOffered={isRequired !== undefined && actor.role === "owner"}
        >
          {isRequired ? <RelaxDialog /> : <RequireDialog people={people} />}
        </DialogButton>
      }
    >
      <ReadView read={read}>
        {({ requireSecondFactor }) => (
          <p>
            {requireSecondFactor
              ? "Required: who has none can only set one up."
              : "Everybody decides for themselves whether to use one."}
          </p>
        )}
      </ReadView>
    </Section>
  );
}

/** Shown if there is a provider, or if passwords are refused. */
export function Passwords() {
  const { actor } = useMe();
  const { isOffered, name } = useProvider();
  const read = useRead("getSecurity");
  const isAccepted = read.data?.passwordSignIn;
  if (isAccepted === undefined || (isAccepted && !isOffered)) return null;
  return (
    <Section
      title="Passwords"
      intro={`People may sign in with ${name}, once they have linked their account there.`}
      action={
        <DialogButton
          text={isAccepted ? "Refuse passwords" : "Accept passwords again"}
          isOffered={actor.role === "owner"}
        >
          {isAccepted ? <RefuseDialog name={name} /> : <AcceptDialog name={name} />}
        </DialogButton>
      }
    >
      <p>{isAccepted ? "Passwords are accepted, too." : `Refused: everybody signs in with ${name}.`}</p>
    </Section>
  );
}

function RefuseDialog({ name }: { readonly name: string }) {
  return (
    <Confirm
      title="Refuse passwords?"
      action="Refuse passwords"
      operation="setSecurity"
      input={{ body: { passwordSignIn: false } }}
      stale={STALE}
      done="Passwords are refused now."
    >
      <p>
        From now on, nobody signs in to this shop with a password. Those who have not linked an account of{" "}
        {name} cannot sign in again. Open sessions and keys of programs go on.
      </p>
      <p>
        Your own account must be linked. Should {name} be lost, the operator of Tradepost can give you a link
        to set a password that is accepted.
      </p>
    </Confirm>
  );
}

function AcceptDialog({ name }: { readonly name: string }) {
  const hasFactor = useMe().actor.secondFactor?.enabled === true;
  return (
    <ChangeDialog
      title="Accept passwords again?"
      action="Accept passwords"
      operation="setSecurity"
      input={(form) => ({ body: { passwordSignIn: true, ...(hasFactor && { code: codeOf(form) }) } })}
      stale={STALE}
      done="Passwords are accepted again."
    >
      <p>The passwords that people had work again.</p>
      {hasFactor ? <CodeField label="Code of your app" /> : <SignedInLately name={name} />}
    </ChangeDialog>
  );
}

/** Stands for the code if the user has no second factor. */
function SignedInLately({ name }: { readonly name: string }) {
  const fault = useFault("code");
  return (
    <p data-path="code" className={fault === undefined ? undefined : "field-error"}>
      For this you must have signed in with {name} within the last 5 minutes.
    </p>
  );
}

function RequireDialog({ people }: { readonly people: readonly Person[] }) {
  const { actor } = useMe();
  const lacking = people.filter(({ active, secondFactor }) => active && !secondFactor);
  return (
    <Confirm
      title="Require a second factor of everybody?"
      action="Require it"
      look="primary"
      operation="setSecurity"
      input={{ body: { requireSecondFactor: true } }}
      stale={STALE}
      done="Everybody needs a second factor now."
    >
      {lacking.length > 0 && (
        <>
          <p>
            From their next click on, these people can only set one up, and then go on where they were. Tell
            them before:
          </p>
          <ul>
            {lacking.map(({ id, name }) => (
              <li key={id}>
                <bdi>{name}</bdi>
                {id === actor.id && " (you)"}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>To stop requiring it, an owner needs a code.</p>
    </Confirm>
  );
}

function RelaxDialog() {
  return (
    <ChangeDialog
      title="Stop requiring a second factor?"
      action="Stop requiring it"
      operation="setSecurity"
      input={(form) => ({ body: { requireSecondFactor: false, code: codeOf(form) } })}
      stale={STALE}
      done="A second factor is no longer required."
    >
      <p>Everybody who has one keeps it, and may remove it. New people need none.</p>
      <CodeField label="Code of your app" />
    </ChangeDialog>
  );
}
