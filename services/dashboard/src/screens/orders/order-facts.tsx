import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useRead } from "../../data/use-read.ts";
import { addressLines } from "../../format/address.ts";
import { CHANNELS } from "../../format/order-words.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { Fact, Facts, IdFact, TimeFact } from "../../ui/facts.tsx";
import { Section } from "../../ui/screen.tsx";

type Order = DataOf<"getOrder">;

export function OrderFacts({ order }: { readonly order: Order }) {
  const { id, customerId, channel, externalId, propertyId, placedAt, createdAt, updatedAt } = order;
  const { shippingAddress, billingAddress, cancelReason } = order;
  return (
    <Facts label="This order">
      <Fact name="Customer">
        <Customer id={customerId} />
      </Fact>
      <Fact name="Channel">{CHANNELS[channel]}</Fact>
      <TimeFact name="Placed" at={placedAt ?? createdAt} isExact />
      {updatedAt !== createdAt && <TimeFact name="Last changed" at={updatedAt} isExact />}
      {cancelReason !== undefined && <Fact name="Cancelled because">{cancelReason}</Fact>}
      <Fact name="Ship to">
        <Address address={shippingAddress} />
      </Fact>
      <Fact name="Bill to">
        <Address address={billingAddress} />
      </Fact>
      <IdFact name="External id" id={externalId} />
      {propertyId !== undefined && (
        <Fact name="Placed on">
          <code>{propertyId}</code>
        </Fact>
      )}
      <IdFact name="Order id" id={id} />
    </Facts>
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
        <Facts label="What was written">
          <Fact name="Customer’s note">
            <Note text={customerNote} />
          </Fact>
          <Fact name="Internal note">
            <Note text={internalNote} />
          </Fact>
        </Facts>
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
