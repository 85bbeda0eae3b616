// Sets up a second factor: the current password, a QR code for an app, the first code, and then the recovery codes, which are shown once.
import type { DataOf } from "@tradepost/client/operations";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useChange } from "../data/operations.ts";
import { Button } from "./button.tsx";
import { CodeBlock, CopyButton } from "./code.tsx";
import { CodeField, codeOf } from "./code-field.tsx";
import { ShownOnceDialog } from "./dialog.tsx";
import { saveFile } from "./export-button.tsx";
import { Form } from "./form.tsx";
import { CurrentPasswordField, currentPasswordOf } from "./password-fields.tsx";
import "./second-factor-setup.css";

const QrCode = lazy(() => import("./qr-code.tsx"));

interface SecondFactorSetupProps {
  readonly onDone: () => void;
  readonly children: ReactNode;
}

export function SecondFactorSetup({ onDone, children }: SecondFactorSetupProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const setUp = useChange("setUpSecondFactor");
  const made = setUp.data?.data;
  if (made === undefined) {
    const begin = (form: FormData) => setUp.mutate({ body: currentPasswordOf(form) });
    return (
      <Form failure={setUp.error} onSubmit={begin}>
        <CurrentPasswordField isFocused />
        <div className="row">
          <Button text="Go on" type="submit" look="primary" isBusy={setUp.isPending} />
          {children}
        </div>
      </Form>
    );
  }
  return (
    <>
      <Steps made={made} onConfirmed={setCodes}>
        {children}
      </Steps>
      {codes !== null && <RecoveryCodes codes={codes} onDone={onDone} />}
    </>
  );
}

interface StepsProps {
  readonly made: DataOf<"setUpSecondFactor">;
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void;
  readonly children: ReactNode;
}

function Steps({ made: { secret, uri }, onConfirmed, children }: StepsProps) {
  const confirm = useChange("confirmSecondFactor", {
    onDone: ({ recoveryCodes }) => onConfirmed(recoveryCodes ?? []),
  });
  return (
    <Form failure={confirm.error} onSubmit={(form) => confirm.mutate({ body: { code: codeOf(form) } })}>
      <ol className="second-factor-setup">
        <li>
          <p>
            Open an authenticator app on your phone, such as Google Authenticator, 1Password or Aegis, and
            scan this code with it.
          </p>
          <div className="second-factor-code">
            <Suspense>
              <QrCode text={uri ?? ""} label="QR code for your authenticator app" />
            </Suspense>
          </div>
          <details>
            <summary>You cannot scan it?</summary>
            <p>
              On this phone: <a href={uri ?? ""}>open it in the app</a>. Or type this key into the app, for
              codes that are based on time:
            </p>
            <p className="row">
              <code className="second-factor-secret">{secret?.match(/.{1,4}/g)?.join(" ")}</code>
              <CopyButton text={secret ?? ""} what="the key" />
            </p>
          </details>
        </li>
        <li>
          <CodeField label="Code that the app shows" />
        </li>
      </ol>
      <div className="row">
        <Button text="Turn on" type="submit" look="primary" isBusy={confirm.isPending} />
        {children}
      </div>
    </Form>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Shows the codes, to copy, to store as a file, or to print. */
function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const text = codes.join("\n");
  const file = () => new Blob([`${text}\n`], { type: "text/plain" });
  return (
    <ShownOnceDialog
      title="Your recovery codes"
      secret={
        codes.length === 0 ? null : (
          <div className="recovery-codes">
            <h3 className="recovery-codes-title">Tradepost recovery codes for {location.host}</h3>
            <CodeBlock text={text} what="the recovery codes" />
          </div>
        )
      }
      now={[
        "Store them now",
        "Without your phone you sign in with one of them, each once. Tradepost cannot show them again. Keep them apart from your phone and your password.",
      ]}
      lost={[
        "The codes were sent before",
        "The second factor is on. If you do not have the codes, remove it and set it up again.",
      ]}
      done="I have stored them"
      onDone={onDone}
    >
      {codes.length > 0 && (
        <div className="row">
          <Button text="Download" onClick={() => saveFile(file(), "tradepost-recovery-codes.txt")} />
          <Button text="Print" onClick={() => print()} />
        </div>
      )}
    </ShownOnceDialog>
  );
}
