// Sets up a second factor: the current password, a QR code for an app, the first code, and then the recovery codes, which are shown once.
import type { DataOf } from "@tradepost/client/operations";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { fieldErrors } from "../api/field-errors.ts";
import { useChange } from "../data/use-change.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./code.tsx";
import { CodeField, codeOf } from "./code-field.tsx";
import { Form } from "./form.tsx";
import { ErrorNote } from "./note.tsx";
import { CurrentPasswordField } from "./password-fields.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import "./second-factor-setup.css";

const QrCode = lazy(() => import("./qr-code.tsx"));

interface SecondFactorSetupProps {
  /** Called when the user has stored the recovery codes. */
  readonly onDone: () => void;
  readonly children: ReactNode;
}

export function SecondFactorSetup({ onDone, children }: SecondFactorSetupProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const setUp = useChange("setUpSecondFactor", { stale: [] });
  const made = setUp.data?.data;
  if (made === undefined) {
    const begin = (form: FormData) =>
      setUp.mutate({ body: { currentPassword: String(form.get("currentPassword")) } });
    const errors = fieldErrors(setUp.error?.details ?? [], ["currentPassword"]);
    return (
      <Form failure={setUp.error} onSubmit={begin}>
        {setUp.error && <ErrorNote failure={setUp.error} details={errors.rest} />}
        <CurrentPasswordField error={errors.byField.currentPassword} isFocused />
        <div className="row">
          <Button type="submit" look="primary" isBusy={setUp.isPending}>
            Go on
          </Button>
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
    stale: [],
    onDone: ({ recoveryCodes }) => onConfirmed(recoveryCodes ?? []),
  });
  const errors = fieldErrors(confirm.error?.details ?? [], ["code"]);
  return (
    <Form failure={confirm.error} onSubmit={(form) => confirm.mutate({ body: { code: codeOf(form) } })}>
      {confirm.error && <ErrorNote failure={confirm.error} details={errors.rest} />}
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
          <CodeField label="Code that the app shows" error={errors.byField.code} />
        </li>
      </ol>
      <div className="row">
        <Button type="submit" look="primary" isBusy={confirm.isPending}>
          Turn on
        </Button>
        {children}
      </div>
    </Form>
  );
}
