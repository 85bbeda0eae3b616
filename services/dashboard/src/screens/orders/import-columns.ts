// The columns of a CSV file, and the parts of an order that they contain. Pure.

export const TARGETS = {
  externalId: "External id of the order",
  orderNumber: "Order number",
  placedAt: "Placed at",
  payment: "Payment",
  status: "Status",
  customerId: "Customer id",
  customerExternalId: "External id of the customer",
  customerEmail: "E-mail of the customer",
  customerName: "Name of the customer",
  customerPhone: "Phone of the customer",
  currency: "Currency",
  sku: "SKU",
  name: "Item",
  quantity: "Quantity",
  unitPrice: "Unit price",
  taxAmount: "Tax of the line",
  shippingTotal: "Shipping",
  discountTotal: "Discount",
  taxTotal: "Tax of the order",
  customerNote: "Customer’s note",
  internalNote: "Internal note",
  "shippingAddress.name": "Ship to: name",
  "shippingAddress.line1": "Ship to: street",
  "shippingAddress.line2": "Ship to: second line",
  "shippingAddress.postalCode": "Ship to: postal code",
  "shippingAddress.city": "Ship to: city",
  "shippingAddress.region": "Ship to: region",
  "shippingAddress.country": "Ship to: country",
} as const;

export type TargetName = keyof typeof TARGETS;

export type Mapping = readonly (TargetName | null)[];

const NAMES = Object.keys(TARGETS) as TargetName[];

/**
 * The targets' names in other systems, in English, German, French, Spanish and Italian: small letters and digits without accents,
 * the clearest first. Several targets may share a name: `name` may be a person, next to a column for the product.
 */
const OTHER_NAMES = tableOf<TargetName>(`
  externalId: externalid orderid ordernr orderreference bestellid auftragsid idcommande iddecommande idpedido idordine
  orderNumber: ordernumber number orderno bestellnummer bestellnr bestellung auftragsnummer auftragsnr numerodecommande numerocommande ncommande commande numerodepedido numeropedido npedido pedido numerodordine numeroordine nordine ordine
  placedAt: placedat orderdate purchasedate createdat date bestelldatum auftragsdatum bestelltam datum datedecommande datecommande fechadepedido fechapedido fecha datadellordine dataordine data
  payment: paymentstatus financialstatus payment paid zahlungsstatus zahlung bezahlt statutdupaiement etatdupaiement paiement paye estadodelpago estadodepago pago pagado statopagamento pagamento pagato
  status: orderstatus fulfillmentstatus status bestellstatus auftragsstatus versandstatus statutdecommande statut etat estadodelpedido estado statoordine stato
  customerId: customerid
  customerExternalId: customerexternalid customernumber customernr kundennummer kundennr kundenid numeroclient numerodeclient nclient numerodecliente numerocliente ncliente codicecliente
  customerEmail: customeremail email emailaddress mail kundenemail emailadresse courriel adresseemail correoelectronico correo emailcliente indirizzoemail
  customerName: customername customer billingname buyer kundenname kunde kaufer nomduclient nomclient client nombredelcliente nombrecliente nomecliente cliente
  customerPhone: customerphone phone phonenumber telephone billingphone mobile telefonnummer telefon handy mobil numerodetelephone portable telefono movil cellulare
  currency: currency currencycode wahrung waehrung devise moneda divisa valuta
  sku: sku lineitemsku articlenumber itemsku artikelnummer artikelnr referencearticle refarticle reference codigodearticulo referencia codicearticolo codiceprodotto
  name: itemname lineitemname productname product name item title artikelname artikel artikelbezeichnung produktname produkt bezeichnung nomduproduit produit article designation nombredelproducto producto articulo nomeprodotto prodotto articolo
  quantity: quantity qty lineitemquantity itemquantity count menge anzahl stuck quantite qte cantidad unidades quantita qta
  unitPrice: unitprice lineitemprice itemprice price einzelpreis stuckpreis preis prixunitaire prix preciounitario precio prezzounitario prezzo
  taxAmount: linetax taxamount itemtax steuerbetrag
  shippingTotal: shippingtotal shipping shippingcost versandkosten versand porto fraisdelivraison fraisdeport livraison gastosdeenvio envio spesedispedizione spedizione
  discountTotal: discounttotal discountamount discount rabatt nachlass remise reduction descuento sconto
  taxTotal: taxtotal taxes tax mwst umsatzsteuer ust steuer tva impuestos iva imposta
  customerNote: customernote notes note bemerkung anmerkung kommentar hinweis commentaire remarque comentario nota
  internalNote: internalnote internenotiz noteinterne notainterna
  shippingAddress.name: shippingname recipient empfanger destinataire destinatario
  shippingAddress.line1: shippingaddress1 shippingstreet shippingline1 address1 street address strasse strasseundhausnummer anschrift adresse adresse1 rue direccion calle indirizzo via
  shippingAddress.line2: shippingaddress2 shippingline2 address2 adresszusatz complementdadresse adresse2 direccion2 indirizzo2
  shippingAddress.postalCode: shippingzip shippingpostalcode zip zipcode postalcode postcode plz postleitzahl codepostal codigopostal cp cap
  shippingAddress.city: shippingcity city town ort stadt ville ciudad poblacion citta localita
  shippingAddress.region: shippingprovince shippingregion province region state bundesland provincia regione
  shippingAddress.country: shippingcountry country land pays pais paese
`);

export function tableOf<Name extends string>(lines: string): Readonly<Record<Name, readonly string[]>> {
  const rows = lines
    .trim()
    .split("\n")
    .map((line) => line.trim().split(": "));
  return Object.fromEntries(rows.map(([name, words]) => [name, words?.split(" ")])) as never;
}

/** A file with the columns that an order needs, under names that `guessMapping` knows. */
export const EXAMPLE_CSV = [
  "externalId,customerEmail,customerName,currency,sku,itemName,quantity,unitPrice",
  'old-17,ada@example.com,Ada Holm,EUR,MUG-BLUE,"Mug, blue",3,19.99',
  "old-17,ada@example.com,Ada Holm,EUR,PLATE-1,Plate,1,7.50",
].join("\r\n");

/**
 * Says where in the file a fault is: for `items[1].quantity`, `Quantity, item 2` if the order has several rows. Returns the path
 * itself if no column contains it.
 */
export function placeOf(path: string, rowCount: number): string {
  const [, index, name = path] = /^(?:items\[(\d+)\]\.)?(.+)$/.exec(path) ?? [];
  if (!Object.hasOwn(TARGETS, name)) return path;
  const text = TARGETS[name as TargetName];
  return index !== undefined && rowCount > 1 ? `${text}, item ${Number(index) + 1}` : text;
}

/**
 * Guesses the targets by the names of the columns: first by the platform's own names, then by the names in other systems. Of two
 * columns, a target gets the one with the clearer name.
 */
export function guessMapping(columns: readonly string[]): Mapping {
  const plain = columns.map(plainName);
  const mapping: (TargetName | null)[] = columns.map(() => null);
  const guess = (target: TargetName, names: readonly string[]) => {
    if (mapping.includes(target)) return;
    const index = plain.indexOf(names.find((one) => plain.includes(one)) ?? "");
    // With two columns of the same name, either may be the target.
    if (index !== -1 && index === plain.lastIndexOf(plain[index] ?? "")) mapping[index] ??= target;
  };
  // A column `Name` may be a person's, and in the export of a shop with `Lineitem name` it is the order's own id.
  for (const target of NAMES)
    if (target !== "name") guess(target, [plainName(target), plainName(TARGETS[target])]);
  for (const target of NAMES) guess(target, OTHER_NAMES[target]);
  if (plain.includes("lineitemname")) guess("externalId", ["name"]);
  return mapping;
}

/** Small letters and digits, without accents: `Straße` becomes `strasse`. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFD")
    .replaceAll(/[^a-z0-9]/g, "");
}

/** The targets that the user has chosen for a file with the same columns, in any sequence; else the guess. */
export function mappingFor(columns: readonly string[], memory: string | null): Mapping {
  const known = new Map(memoryOf(memory)).get(keyOf(columns));
  if (known === undefined) return guessMapping(columns);
  return columns.map((column) => NAMES.find((name) => name === known[column]) ?? null);
}

const FILES_REMEMBERED = 20;

/** The memory with the mapping. The oldest of many mappings is forgotten. */
export function withMapping(memory: string | null, columns: readonly string[], mapping: Mapping): string {
  const chosen = Object.fromEntries(columns.map((column, index) => [column, mapping[index] ?? null]));
  const others = memoryOf(memory).filter(([key]) => key !== keyOf(columns));
  return JSON.stringify([...others, [keyOf(columns), chosen]].slice(-FILES_REMEMBERED));
}

function memoryOf(memory: string | null): [string, Record<string, unknown>][] {
  try {
    const value: unknown = JSON.parse(memory ?? "[]");
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function keyOf(columns: readonly string[]): string {
  return columns.toSorted().join("\n");
}

/** Sentences that say what is missing; empty if the file can be imported. */
export function faultsOf(mapping: Mapping): string[] {
  const missing = (["sku", "name", "quantity", "unitPrice"] as const).filter((one) => !mapping.includes(one));
  const customers = ["customerId", "customerExternalId", "customerEmail"] as const;
  return [
    ...(customers.some((one) => mapping.includes(one)) ? [] : ["No column says who the customer is."]),
    ...missing.map((one) => `No column is “${TARGETS[one]}”.`),
  ];
}
