import { datesOf } from "../../format/shop.ts";

// The countries where most shops are. Programs may set any other.
const LOCALES = (
  "en en-US en-GB en-AU en-CA en-IE en-IN bg-BG cs-CZ da-DK de-DE de-AT de-CH el-GR es-ES es-AR es-MX et-EE fi-FI fr-FR fr-BE " +
  "fr-CA fr-CH he-IL hr-HR hu-HU id-ID it-IT it-CH ja-JP ko-KR lt-LT lv-LV nb-NO nl-NL nl-BE pl-PL pt-PT pt-BR ro-RO sk-SK sl-SI " +
  "sv-SE th-TH tr-TR uk-UA vi-VN zh-CN zh-TW"
).split(" ");

const SAMPLE = new Date("2026-11-28T12:00:00Z");

/** `German (Austria) · 12.345,50 · 28.11.2026`. The current one is among them. */
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
