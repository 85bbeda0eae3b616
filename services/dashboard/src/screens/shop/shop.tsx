// The settings of the shop, which forms, figures and papers follow, and its modules.
import type { BodyOf, DataOf } from "@tradepost/client/operations";
import { useIsAllowed } from "../../data/me.ts";
import { useChange, useRead } from "../../data/operations.ts";
import { locales, timeZones } from "../../format/codes.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm, DialogButton } from "../../ui/change-dialogs.tsx";
import { LeaveGuard } from "../../ui/dialog.tsx";
import { CountryField, CurrencyField, SelectField, TextField } from "../../ui/field.tsx";
import { Form, FormNote } from "../../ui/form.tsx";
import { ReadView } from "../../ui/list.tsx";
import { ErrorNote } from "../../ui/note.tsx";
import { BehindTheScreen, ReadOnly, Screen, Section } from "../../ui/screen.tsx";
import { Badge } from "../../ui/value.tsx";
import "./modules.css";

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
    done: "The settings of the shop are saved.",
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

type Module = DataOf<"listModules">[number];

/** The navigation depends on the modules, so the user is read again too. */
const STALE = ["listModules", "getMe"] as const;

function Modules() {
  const modules = useRead("listModules");
  const mayChange = useIsAllowed({ role: "owner" });
  return (
    <Section
      title="Modules"
      intro={
        mayChange
          ? "The parts of Tradepost that this shop uses."
          : "The parts of Tradepost that this shop uses. An owner activates them."
      }
    >
      <ReadView read={modules}>
        {(all) => (
          <ul className="modules">
            {all.map((module) => (
              <ModuleCard key={module.name} module={module} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </ReadView>
    </Section>
  );
}

function ModuleCard({ module, mayChange }: { readonly module: Module; readonly mayChange: boolean }) {
  const { name, active } = module;
  const { title, brings, stops } = MODULES[name];
  const activate = useChange("setModule", { stale: STALE, done: `${title}: active.` });
  return (
    <li className="card">
      <div>
        <h3>{title}</h3> <Badge tone={active ? "good" : "quiet"}>{active ? "Active" : "Not active"}</Badge>
      </div>
      <p className="soft">{brings}</p>
      {activate.error && <ErrorNote failure={activate.error} />}
      <DialogButton text="Deactivate" about={title} isOffered={mayChange && active}>
        <Confirm
          title={`Deactivate “${title}”?`}
          action="Deactivate"
          operation="setModule"
          input={{ path: { name }, body: { active: false } }}
          stale={STALE}
          done={`${title}: not active.`}
        >
          <p>{stops}</p>
          <p>Nothing is deleted. Everything is there again when an owner activates the module.</p>
        </Confirm>
      </DialogButton>
      {mayChange && !active && (
        <Button
          text="Activate"
          look="primary"
          isBusy={activate.isPending}
          onClick={() => activate.mutate({ path: { name }, body: { active: true } })}
          about={title}
        />
      )}
    </li>
  );
}

type Texts = Readonly<Record<"title" | "brings" | "stops", string>>;

const MODULES: Readonly<Record<Module["name"], Texts>> = {
  crm: {
    title: "Orders and customers",
    brings:
      "Orders with payments, shipping and refunds, imports of orders, and the customers who place them.",
    stops: "Nobody sees or places orders, and programs that do are refused.",
  },
  content: {
    title: "Content, media and redirects",
    brings:
      "Entries of your own types with drafts and schedules, images and files, and redirects of your site.",
    stops:
      "Nobody sees or changes content, and programs that read it are refused: a site that reads it may stay empty. Entries that are scheduled go live all the same. Webhooks and their log are not shown; deliveries go on.",
  },
};
