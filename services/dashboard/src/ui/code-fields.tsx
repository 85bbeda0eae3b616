// Fields for the codes of currencies and countries, which show their names.
import type { ComponentProps } from "react";
import { countries, countryName, currencies } from "../format/codes.ts";
import { SelectField } from "./field.tsx";

type SelectProps = Omit<ComponentProps<typeof SelectField>, "options">;

export function CurrencyField(props: SelectProps) {
  const options = currencies().map(({ code, name }) => ({ value: code, text: `${code} · ${name}` }));
  return <SelectField {...props} options={options} />;
}

/** `defaultValue` may be any text that a program has written. */
export function CountryField({
  defaultValue = "",
  ...props
}: SelectProps & { readonly defaultValue?: string }) {
  const isListed = defaultValue === "" || countryName(defaultValue) !== undefined;
  const options = [
    { value: "", text: "None" },
    ...(isListed ? [] : [{ value: defaultValue, text: defaultValue }]),
    ...countries().map(({ code, name }) => ({ value: code, text: name })),
  ];
  return <SelectField {...props} defaultValue={defaultValue} options={options} />;
}
