import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useRead } from "../../data/use-read.ts";
import { addressLines } from "../../format/address.ts";
import { CHANNELS } from "../../format/order-words.ts";
import { CodeBlock, CopiedId } from "../../ui/code.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/screen.tsx";
import { ExactTime } from "../../ui/time.tsx";

type Order = DataOf<"getOrder">;

export function OrderFacts({ order }: { readonly order: Order }) {
  const { id, customerId, channel, externalId, propertyId, placedAt, createdAt, updatedAt } = order;
  const { shippingAddress, billingAddress, cancelReason } = order;
  return (
    <Facts
      label="This order"
      of={{
        Customer: <Customer id={customerId} />,
        Channel: CHANNELS[channel],
        Placed: <ExactTime at={placedAt ?? createdAt} />,
        "Last changed": updatedAt !== createdAt && <ExactTime at={updatedAt} />,
        "Cancelled because": cancelReason,
        "Ship to": <Address address={shippingAddress} />,
        "Bill to": <Address address={billingAddress} />,
        "External id": externalId && <CopiedId id={externalId} what="external id" />,
        "Placed on": propertyId && <code>{propertyId}</code>,
        "Order id": <CopiedId id={id} what="order id" />,
      }}
    />
  );
}

function Customer({ id }: { readonly id: string }) {
  const { data } = useRead("getCustomer", { path: { id } });
  return (
    <>
      <Link to="/customers/$customerId" params={{ customerId: id }}>
        <bdi>{data?.name ?? "…"}</bdi>
      </Link>
      {data?.email !== undefined && <p className="soft">{data.email}</p>}
    </>
  );
}

function Address({ address }: { readonly address: Order["shippingAddress"] }) {
  if (address === undefined) return <span className="soft">No address</span>;
  return <p className="order-text">{addressLines(address).join("\n")}</p>;
}

export function OrderNotes({ order }: { readonly order: DataOf<"getOrder"> }) {
  const { customerNote, internalNote, metadata } = order;
  return (
    <>
      <Section title="Notes">
        <Facts
          label="What was written"
          of={{
            "Customer’s note": <Note text={customerNote} />,
            "Internal note": <Note text={internalNote} />,
          }}
        />
      </Section>
      {metadata !== undefined && (
        <Section title="Metadata">
          <CodeBlock text={JSON.stringify(metadata, null, 2)} what="the metadata" />
        </Section>
      )}
    </>
  );
}

function Note({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return <span className="soft">None</span>;
  return (
    <p className="order-text" dir="auto">
      {text}
    </p>
  );
}
