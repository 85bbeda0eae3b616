// The settings of the shop, which forms, figures and papers follow, and its modules.
import type { BodyOf, DataOf } from "@tradepost/client/operations";
import { useIsAllowed } from "../../data/me.ts";
import { useChange } from "../../data/use-change.ts";
import { useRead } from "../../data/use-read.ts";
import { Button } from "../../ui/button.tsx";
import { LeaveGuard } from "../../ui/dialog.tsx";
import { CountryField, CurrencyField, SelectField, TextField } from "../../ui/field.tsx";
import { Form, FormNote } from "../../ui/form.tsx";
import { BehindTheScreen, ReadOnly, Screen, Section } from "../../ui/screen.tsx";
import { say } from "../../ui/toasts.tsx";
import { ReadView } from "../../ui/views.tsx";
import { Modules } from "./modules.tsx";
import { locales, timeZones } from "./regions.ts";

type Settings = DataOf<"getShop">;

export default function Shop() {
  const read = useRead("getShop");
  return (
    <Screen
      title="Shop"
      intro="New orders begin with this currency. Numbers, dates and the days of figures follow the language and the time zone, and papers have this sender."
    >
      <ReadOnly title="Only administrators change these settings" neededRole="admin" />
      <ReadView read={read}>
        {(settings) => (
          <LeaveGuard>
            <SettingsForm key={JSON.stringify(settings)} settings={settings} />
          </LeaveGuard>
        )}
      </ReadView>
      <Modules />
      <BehindTheScreen operation="getShop" />
    </Screen>
  );
}

const ADDRESS = [
  { name: "line1", label: "Street and number", max: 255 },
  { name: "line2", label: "Second line", max: 255 },
  { name: "postalCode", label: "Postal code", max: 32 },
  { name: "city", label: "City", max: 255 },
  { name: "country", label: "Country", max: 255 },
  { name: "phone", label: "Phone", max: 50 },
  { name: "email", label: "E-mail", max: 254 },
  { name: "taxId", label: "Tax number", max: 100 },
] as const;

function SettingsForm({ settings }: { readonly settings: Settings }) {
  const isAdmin = useIsAllowed({ role: "admin" });
  const change = useChange("updateShop", {
    stale: ["getShop", "getMe", "getOrderStatistics"],
    onDone: () => say("The settings of the shop are saved."),
  });
  return (
    <Form failure={change.error} explain={null} onSubmit={(form) => change.mutate({ body: bodyOf(form) })}>
      <fieldset className="form" disabled={!isAdmin}>
        <div className="fields">
          <TextField label="Name" name="name" required maxLength={200} defaultValue={settings.name} />
          <CurrencyField label="Currency" name="currency" defaultValue={settings.currency} />
        </div>
        <div className="fields">
          <SelectField
            label="Numbers and dates"
            name="locale"
            hint="Words stay English."
            options={locales(settings.locale)}
            defaultValue={settings.locale}
          />
          <SelectField
            label="Time zone"
            name="timeZone"
            options={timeZones(settings.timeZone)}
            defaultValue={settings.timeZone}
          />
        </div>
        <Address address={settings.address} />
      </fieldset>
      <FormNote />
      {isAdmin && (
        <div className="row">
          <Button text="Save" type="submit" look="primary" isBusy={change.isPending} />
        </div>
      )}
    </Form>
  );
}

function Address({ address }: Pick<Settings, "address">) {
  return (
    <Section title="Address" intro="The sender on packing slips and receipts.">
      <div className="fields">
        {ADDRESS.map(({ name, label, max }) => {
          const shared = {
            label,
            name: `address.${name}`,
            defaultValue: address?.[name] ?? "",
          };
          return name === "country" ? (
            <CountryField key={name} {...shared} />
          ) : (
            <TextField key={name} {...shared} maxLength={max} />
          );
        })}
      </div>
    </Section>
  );
}

function bodyOf(form: FormData): BodyOf<"updateShop"> {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const address = ADDRESS.map(({ name }) => [name, text(`address.${name}`)]).filter(
    ([, value]) => value !== "",
  );
  return {
    ...{ name: text("name"), currency: text("currency"), timeZone: text("timeZone"), locale: text("locale") },
    address: address.length === 0 ? null : Object.fromEntries(address),
  };
}
