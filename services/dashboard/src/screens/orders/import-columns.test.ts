import { expect, test } from "@jest/globals";
import { faultsOf, guessMapping, mappingFor, placeOf, withMapping } from "./import-columns.ts";

test("the export of a shop is mapped by itself", () => {
  const columns =
    "id,orderNumber,externalId,createdAt,status,customerId,customerName,customerEmail,currency,sku,name,quantity,unitPrice,lineSubtotal,lineTax,shippingTotal,discountTotal,taxTotal,total".split(
      ",",
    );
  const mapping = guessMapping(columns);
  const mapped = columns.flatMap((column, index) => (mapping[index] ? [`${column} ${mapping[index]}`] : []));
  expect(mapped).toEqual([
    "orderNumber orderNumber",
    "externalId externalId",
    "createdAt placedAt",
    "status status",
    "customerId customerId",
    "customerName customerName",
    "customerEmail customerEmail",
    "currency currency",
    "sku sku",
    "name name",
    "quantity quantity",
    "unitPrice unitPrice",
    "lineTax taxAmount",
    "shippingTotal shippingTotal",
    "discountTotal discountTotal",
    "taxTotal taxTotal",
  ]);
  expect(faultsOf(mapping)).toEqual([]);
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
  ["email,customerEmail", [null, "customerEmail"]],
  ["Number;Order number", [null, "orderNumber"]],
  ["price,unitPrice,Item price,Quantity price", [null, "unitPrice", null, null]],
  ["Amount,Quantity", [null, "quantity"]],
  ["Amount,Total,Subtotal,Preis pro Stück", [null, null, null, null]],
  ["Lineitem price,Lineitem quantity", ["unitPrice", "quantity"]],
  ["Item price,Item quantity,Item", ["unitPrice", "quantity", "name"]],
  ["Name,Lineitem name", ["externalId", "name"]],
  ["Name,Lineitem name,Order ID", [null, "name", "externalId"]],
  ["Name,Product", [null, "name"]],
  ["Product,Item,Title,Item name", [null, null, null, "name"]],
  ["Qty,qty.", [null, null]],
  ["Ship to: city,SHIPPING_ADDRESS.COUNTRY", ["shippingAddress.city", "shippingAddress.country"]],
])("%s: the clearest name counts, and one of two same names does not", (columns, mapping) => {
  expect(guessMapping(columns.split(/[,;]/))).toEqual(mapping);
});

test.each([
  "Order number;Order date;Payment status;Email;Phone;SKU;Product;Qty;Unit price;Street;ZIP;City;Country",
  "Bestellnummer;Bestelldatum;Zahlungsstatus;E-Mail;Telefon;Artikelnr.;Artikel;Menge;Einzelpreis;Straße;PLZ;Ort;Land",
  "N° commande;Date de commande;Statut du paiement;Courriel;Téléphone;Référence;Article;Quantité;Prix unitaire;Rue;Code postal;Ville;Pays",
  "Nº pedido;Fecha;Estado del pago;Correo electrónico;Teléfono;Referencia;Artículo;Cantidad;Precio unitario;Dirección;Código postal;Ciudad;País",
  "N. ordine;Data ordine;Stato pagamento;E-mail;Telefono;Codice articolo;Articolo;Quantità;Prezzo unitario;Indirizzo;CAP;Città;Paese",
])("the columns of a German, French, Spanish, Italian or English shop are known: %s", (columns) => {
  expect(guessMapping(columns.split(";"))).toEqual([
    ...[
      "orderNumber",
      "placedAt",
      "payment",
      "customerEmail",
      "customerPhone",
      "sku",
      "name",
      "quantity",
      "unitPrice",
    ],
    ...["line1", "postalCode", "city", "country"].map((field) => `shippingAddress.${field}`),
  ]);
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
