// Erases a person from JSON with a customer or an order (events, timelines and recorded responses), and makes the assignments for their
// rows (interface §20). Texts are changed as texts, so that the rest keeps every digit. The data map names the fields. Pure.
import { dataMap, type Erasure } from "@tradepost/data-map";
import { elementTexts, memberTexts } from "@tradepost/json";

const ERASED_NAME = "Erased customer";

type Rule = (text: string) => string | null;

const RULE_OF: Partial<Record<Erasure, Rule>> = {
  "set to null": () => null,
  renamed: () => JSON.stringify(ERASED_NAME),
  "country kept": erasedAddress,
};

/** `customer_note` becomes `customerNote`. */
export function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Columns that are not fields have no rule. */
function rulesOf(columns: Readonly<Record<string, Erasure>>): Record<string, Rule> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([column, erasure]) => {
      const rule = RULE_OF[erasure];
      return rule === undefined ? [] : [[fieldOf(column), rule]];
    }),
  );
}

const OF_CUSTOMER = rulesOf(dataMap.orders.customers.person);
const OF_ORDER = rulesOf(dataMap.orders.orders.person);
const OF_REFUND: Record<string, Rule> = { reason: () => null };

// ISO 3166; any other text of a caller may name the person.
const COUNTRIES: ReadonlySet<string> = new Set(
  `
AD AND AE ARE AF AFG AG ATG AI AIA AL ALB AM ARM AO AGO AQ ATA AR ARG AS ASM AT AUT AU AUS AW ABW AX ALA AZ AZE BA BIH
BB BRB BD BGD BE BEL BF BFA BG BGR BH BHR BI BDI BJ BEN BL BLM BM BMU BN BRN BO BOL BQ BES BR BRA BS BHS BT BTN BV BVT
BW BWA BY BLR BZ BLZ CA CAN CC CCK CD COD CF CAF CG COG CH CHE CI CIV CK COK CL CHL CM CMR CN CHN CO COL CR CRI CU CUB
CV CPV CW CUW CX CXR CY CYP CZ CZE DE DEU DJ DJI DK DNK DM DMA DO DOM DZ DZA EC ECU EE EST EG EGY EH ESH ER ERI ES ESP
ET ETH FI FIN FJ FJI FK FLK FM FSM FO FRO FR FRA GA GAB GB GBR GD GRD GE GEO GF GUF GG GGY GH GHA GI GIB GL GRL GM GMB
GN GIN GP GLP GQ GNQ GR GRC GS SGS GT GTM GU GUM GW GNB GY GUY HK HKG HM HMD HN HND HR HRV HT HTI HU HUN ID IDN IE IRL
IL ISR IM IMN IN IND IO IOT IQ IRQ IR IRN IS ISL IT ITA JE JEY JM JAM JO JOR JP JPN KE KEN KG KGZ KH KHM KI KIR KM COM
KN KNA KP PRK KR KOR KW KWT KY CYM KZ KAZ LA LAO LB LBN LC LCA LI LIE LK LKA LR LBR LS LSO LT LTU LU LUX LV LVA LY LBY
MA MAR MC MCO MD MDA ME MNE MF MAF MG MDG MH MHL MK MKD ML MLI MM MMR MN MNG MO MAC MP MNP MQ MTQ MR MRT MS MSR MT MLT
MU MUS MV MDV MW MWI MX MEX MY MYS MZ MOZ NA NAM NC NCL NE NER NF NFK NG NGA NI NIC NL NLD NO NOR NP NPL NR NRU NU NIU
NZ NZL OM OMN PA PAN PE PER PF PYF PG PNG PH PHL PK PAK PL POL PM SPM PN PCN PR PRI PS PSE PT PRT PW PLW PY PRY QA QAT
RE REU RO ROU RS SRB RU RUS RW RWA SA SAU SB SLB SC SYC SD SDN SE SWE SG SGP SH SHN SI SVN SJ SJM SK SVK SL SLE SM SMR
SN SEN SO SOM SR SUR SS SSD ST STP SV SLV SX SXM SY SYR SZ SWZ TC TCA TD TCD TF ATF TG TGO TH THA TJ TJK TK TKL TL TLS
TM TKM TN TUN TO TON TR TUR TT TTO TV TUV TW TWN TZ TZA UA UKR UG UGA UM UMI US USA UY URY UZ UZB VA VAT VC VCT VE VEN
VG VGB VI VIR VN VNM VU VUT WF WLF WS WSM YE YEM YT MYT ZA ZAF ZM ZMB ZW ZWE`.split(/\s+/),
);

/** Leaves only the country's code; null without one. Line and city stay as empty texts, because clients read both. */
export function erasedAddress(text: string): string | null {
  const country: unknown = JSON.parse(memberTexts(text).get("country") ?? "null");
  if (typeof country !== "string" || country === "" || !COUNTRIES.has(country)) return null;
  return JSON.stringify({ line1: "", city: "", country });
}

export function erasedEvent(data: string): string {
  return erased(data, {
    customer: (text) => erased(text, OF_CUSTOMER),
    order: (text) => erased(text, OF_ORDER),
    refund: (text) => erased(text, OF_REFUND),
  });
}

export function erasedDetails(details: string): string {
  return erased(details, { reason: () => null, refund: (text) => erased(text, OF_REFUND) });
}

/** A recorded response, `{status, headers, body}`. The data of other customers in it stays. */
export function erasedResponse(answer: string, customerId: string): string {
  const ofResource: Rule = (text) => {
    const ids = memberTexts(text);
    if (ids.get("customerId") === JSON.stringify(customerId)) return erased(text, OF_ORDER);
    return ids.get("id") === JSON.stringify(customerId) ? erased(text, OF_CUSTOMER) : text;
  };
  const ofResult: Rule = (text) => erased(text, { data: ofResource });
  const ofData: Rule = (text) =>
    text.startsWith("[") ? `[${elementTexts(text).map(ofResult).join(",")}]` : ofResource(text);
  return erased(answer, { body: (text) => erased(text, { data: ofData }) });
}

/** Applies the rules to the members; null removes a member. A text that is not an object stays as it is. */
function erased(text: string, rules: Readonly<Record<string, Rule>>): string {
  if (!text.startsWith("{")) return text;
  const members = [...memberTexts(text)].flatMap(([name, member]) => {
    const left = Object.hasOwn(rules, name) ? rules[name]?.(member) : member;
    return typeof left === "string" ? [`${JSON.stringify(name)}:${left}`] : [];
  });
  return `{${members.join(",")}}`;
}

const VALUE_OF: Partial<Record<Erasure, string>> = {
  "set to null": "null",
  renamed: `'${ERASED_NAME}'`,
  emptied: "''",
};

/**
 * Returns SQL for the `set` of an update. `addressOf` returns the new value of a column with addresses, which differ by row.
 */
export function assignmentsOf(
  columns: Readonly<Record<string, Erasure>>,
  addressOf: (column: string) => string,
): string {
  return Object.entries(columns)
    .flatMap(([column, erasure]) => {
      const value = erasure === "country kept" ? addressOf(column) : VALUE_OF[erasure];
      return value === undefined ? [] : [`${column} = ${value}`];
    })
    .join(", ");
}
