import { faultsOf, guessMapping, mappingFor, placeOf, withMapping } from "./import-columns.ts";

/** The targets of the columns, in their sequence; `-` for a column that is not imported. */
const targetsOf = (columns: string) => {
  const mapping = guessMapping(columns.split(/[,;]/));
  return mapping.map((target) => target ?? "-").join(",");
};

test("the export of a shop is mapped by itself", () => {
  const columns =
    "id,orderNumber,externalId,createdAt,status,customerId,customerName,customerEmail,currency,sku,name,quantity,unitPrice,lineSubtotal,lineTax,shippingTotal,discountTotal,taxTotal,total";
  expect(targetsOf(columns)).toBe(
    "-,orderNumber,externalId,placedAt,status,customerId,customerName,customerEmail,currency,sku,name,quantity,unitPrice,-,taxAmount,shippingTotal,discountTotal,taxTotal,-",
  );
  expect(faultsOf(guessMapping(columns.split(",")))).toEqual([]);
});

test("a fault is at what the column contains", () => {
  expect(placeOf("items[0].quantity", 1)).toBe("Quantity");
  expect(placeOf("items[1].quantity", 2)).toBe("Quantity, item 2");
  expect(placeOf("shippingAddress.country", 2)).toBe("Ship to: country");
  expect(placeOf("items", 1)).toBe("items");
});

test("says which columns are missing", () => {
  expect(faultsOf(guessMapping(["sku", "price"]))).toEqual([
    "No column says who the customer is.",
    "No column is “Item”.",
    "No column is “Quantity”.",
  ]);
});

test.each([
  ["email,customerEmail", "-,customerEmail"],
  ["Number;Order number", "-,orderNumber"],
  ["price,unitPrice,Item price,Quantity price", "-,unitPrice,-,-"],
  ["Amount,Quantity", "-,quantity"],
  ["Amount,Total,Subtotal,Preis pro Stück", "-,-,-,-"],
  ["Lineitem price,Lineitem quantity", "unitPrice,quantity"],
  ["Item price,Item quantity,Item", "unitPrice,quantity,name"],
  ["Name,Lineitem name", "externalId,name"],
  ["Name,Lineitem name,Order ID", "-,name,externalId"],
  ["Name,Product", "-,name"],
  ["Product,Item,Title,Item name", "-,-,-,name"],
  ["Qty,qty.", "-,-"],
  ["Ship to: city,SHIPPING_ADDRESS.COUNTRY", "shippingAddress.city,shippingAddress.country"],
])("%s: the clearest name counts, and one of two same names does not", (columns, targets) => {
  expect(targetsOf(columns)).toBe(targets);
});

test.each([
  "Order number;Order date;Payment status;Email;Phone;SKU;Product;Qty;Unit price;Street;ZIP;City;Country",
  "Bestellnummer;Bestelldatum;Zahlungsstatus;E-Mail;Telefon;Artikelnr.;Artikel;Menge;Einzelpreis;Straße;PLZ;Ort;Land",
  "N° commande;Date de commande;Statut du paiement;Courriel;Téléphone;Référence;Article;Quantité;Prix unitaire;Rue;Code postal;Ville;Pays",
  "Nº pedido;Fecha;Estado del pago;Correo electrónico;Teléfono;Referencia;Artículo;Cantidad;Precio unitario;Dirección;Código postal;Ciudad;País",
  "N. ordine;Data ordine;Stato pagamento;E-mail;Telefono;Codice articolo;Articolo;Quantità;Prezzo unitario;Indirizzo;CAP;Città;Paese",
])("the columns of a German, French, Spanish, Italian or English shop are known: %s", (columns) => {
  expect(targetsOf(columns)).toBe(
    "orderNumber,placedAt,payment,customerEmail,customerPhone,sku,name,quantity,unitPrice,shippingAddress.line1,shippingAddress.postalCode,shippingAddress.city,shippingAddress.country",
  );
});

test("what a person chose counts for the next file with the same columns, in any sequence", () => {
  const memory = withMapping(null, ["sku", "Foo", "price"], ["sku", "name", null]);
  expect(mappingFor(["price", "Foo", "sku"], memory)).toEqual([null, "name", "sku"]);
  expect(mappingFor(["sku", "Foo"], memory)).toEqual(["sku", null]);
  expect(
    mappingFor(["sku", "Foo", "price"], withMapping(memory, ["sku", "Foo", "price"], [null, null, null])),
  ).toEqual([null, null, null]);
  expect(mappingFor(["sku"], "broken")).toEqual(["sku"]);
  const full = Array.from({ length: 30 }, (_, index) => String(index)).reduce<string | null>(
    (known, column) => withMapping(known, [column, "x"], ["sku", null]),
    null,
  );
  expect([mappingFor(["0", "x"], full)[0], mappingFor(["29", "x"], full)[0]]).toEqual([null, "sku"]);
});
