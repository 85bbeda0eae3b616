// The fields of an address in a form. Their names begin with the name of the address: `shippingAddress.city`.

import { ADDRESS_FIELDS, type AddressTexts } from "../../format/address.ts";
import { countries, countryName } from "../../format/codes.ts";
import { Field } from "../../ui/field.tsx";

export type AddressName = "shippingAddress" | "billingAddress";

interface AddressFieldsProps {
  readonly name: AddressName;
  readonly legend: string;
  readonly initial: AddressTexts;
  readonly errors: Readonly<Partial<Record<string, string>>>;
}

const CHARACTERS_MAX = 500;

export function AddressFields({ name, legend, initial, errors }: AddressFieldsProps) {
  return (
    <fieldset className="field">
      <legend>{legend}</legend>
      <div className="fields">
        {ADDRESS_FIELDS.map((field) => (
          <Field key={field.name} label={field.label} error={errors[`${name}.${field.name}`]}>
            {(control) =>
              field.name === "country" ? (
                <select
                  {...control}
                  className="input"
                  name={`${name}.country`}
                  defaultValue={initial.country}
                >
                  <Countries initial={initial.country} />
                </select>
              ) : (
                <input
                  {...control}
                  className="input"
                  name={`${name}.${field.name}`}
                  defaultValue={initial[field.name]}
                  maxLength={CHARACTERS_MAX}
                  autoComplete="off"
                />
              )
            }
          </Field>
        ))}
      </div>
    </fieldset>
  );
}

function Countries({ initial }: { readonly initial: string }) {
  const isListed = initial === "" || countryName(initial) !== undefined;
  return (
    <>
      <option value="">None</option>
      {/* A program may have written anything. */}
      {!isListed && <option value={initial}>{initial}</option>}
      {countries().map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </>
  );
}

/** The texts of the fields. */
export function addressTextsIn(form: FormData, name: AddressName): AddressTexts {
  return Object.fromEntries(
    ADDRESS_FIELDS.map((field) => [field.name, String(form.get(`${name}.${field.name}`) ?? "")]),
  ) as AddressTexts;
}

/** The names of the fields, for `fieldErrors`. */
export function addressFieldNames(name: AddressName): string[] {
  return ADDRESS_FIELDS.map((field) => `${name}.${field.name}`);
}
