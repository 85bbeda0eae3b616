// The currencies, countries, locales and time zones of the world with their English names, as the browser knows them. Pure.
import { datesOf } from "./shop.ts";

export const currencies = once(() => {
  const names = new Intl.DisplayNames("en", { type: "currency" });
  return Intl.supportedValuesOf("currency").map((code) => ({ code, name: names.of(code) ?? code }));
});

export const countries = once(() => {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const found = pairsOfLetters().flatMap((code) => {
    // A former country has the code of its successor.
    const isCurrent = new Intl.Locale(`und-${code}`).region === code && !NOT_COUNTRIES.has(code);
    const name = isCurrent ? names.of(code) : undefined;
    return name === undefined ? [] : [{ code, name }];
  });
  return found.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
});

/** `Portugal` for `PT`; undefined for any other text. */
export function countryName(code: string): string | undefined {
  return countries().find((country) => country.code === code)?.name;
}

/** `DE` for a name of Germany in the languages of imports, and for its code. */
export function countryCode(text: string): string | undefined {
  return codesByName().get(text.trim().toLowerCase());
}

const codesByName = once(() => {
  const names = ["en", "de", "fr", "es", "it"].map(
    (language) => new Intl.DisplayNames(language, { type: "region" }),
  );
  return new Map(
    countries().flatMap(({ code }) =>
      [code, ...names.map((language) => language.of(code) ?? code)].map((name) => [name.toLowerCase(), code]),
    ),
  );
});

// The locales of most shops. Programs may set any other locale.
const LOCALES = (
  "en en-US en-GB en-AU en-CA en-IE en-IN bg-BG cs-CZ da-DK de-DE de-AT de-CH el-GR es-ES es-AR es-MX et-EE fi-FI fr-FR fr-BE " +
  "fr-CA fr-CH he-IL hr-HR hu-HU id-ID it-IT it-CH ja-JP ko-KR lt-LT lv-LV nb-NO nl-NL nl-BE pl-PL pt-PT pt-BR ro-RO sk-SK sl-SI " +
  "sv-SE th-TH tr-TR uk-UA vi-VN zh-CN zh-TW"
).split(" ");

const SAMPLE = new Date("2026-11-28T12:00:00Z");

/** `German (Austria) · 12.345,50 · 28.11.2026`. Always includes `current`. */
export function locales(current: string) {
  const names = new Intl.DisplayNames("en", { type: "language" });
  const options = [...new Set([...LOCALES, current])].map((value) => {
    const amount = new Intl.NumberFormat(value, { minimumFractionDigits: 2 }).format(12_345.5);
    const day = new Intl.DateTimeFormat(datesOf(value), { dateStyle: "medium" }).format(SAMPLE);
    // A tag with extensions has no name.
    const name = names.of(new Intl.Locale(value).baseName);
    return { value, text: [name, amount, day].join(" · ") };
  });
  return options.toSorted((a, b) => a.text.localeCompare(b.text, "en"));
}

export function timeZones(current: string) {
  const all = new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), current]);
  return [...all].map((value) => ({ value, text: value.replaceAll("_", " ") }));
}

// Groups of countries, islands without a code in ISO 3166, and codes for tests.
const NOT_COUNTRIES: ReadonlySet<string> = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split(" "));

function pairsOfLetters(): string[] {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return letters.flatMap((first) => letters.map((second) => first + second));
}

function once<Value>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}
