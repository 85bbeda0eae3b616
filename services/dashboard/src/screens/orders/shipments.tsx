import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { number } from "../../format/shop.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeDialog, Confirm } from "../../ui/change-dialogs.tsx";
import { CopiedId } from "../../ui/code.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { Section } from "../../ui/screen.tsx";
import { Badge, Time } from "../../ui/value.tsx";
import { Text } from "./action-fields.tsx";
import { STALE } from "./actions.ts";

type Order = DataOf<"getOrder">;
type Shipment = NonNullable<Order["shipments"]>[number];

interface ShipmentsProps {
  readonly order: Order;
  readonly shipments: readonly Shipment[];
  readonly etag: string | undefined;
}

export function Shipments({ order, shipments, etag }: ShipmentsProps) {
  const isEditor = useIsAllowed({ role: "editor" });
  const [open, setOpen] = useState<{ readonly dialog: "edit" | "deliver"; readonly of: Shipment } | null>(
    null,
  );
  const names = new Map(order.items.map(({ id, name }) => [id, name]));
  const columns: Column<Shipment>[] = [
    { name: "Shipped", cell: ({ shippedAt }) => <Time at={shippedAt} /> },
    {
      name: "Items",
      cell: ({ lines }) => (
        <div className="lines">
          {lines.map(({ lineId, quantity }) => (
            <span key={lineId}>
              {number(quantity)} × <bdi>{names.get(lineId)}</bdi>
            </span>
          ))}
        </div>
      ),
    },
    {
      name: "Parcel",
      cell: ({ carrier, trackingNumber }) => (
        <div className="lines">
          {carrier !== undefined && <bdi>{carrier}</bdi>}
          {trackingNumber !== undefined && <CopiedId id={trackingNumber} what="the tracking number" />}
        </div>
      ),
    },
    {
      name: "Delivered",
      cell: ({ deliveredAt }) =>
        deliveredAt === undefined ? <Badge tone="info">On the way</Badge> : <Time at={deliveredAt} />,
    },
  ];
  const actions: Column<Shipment> = {
    name: "Actions",
    isActions: true,
    cell: (of) => (
      <span className="row">
        <Button text="Edit parcel" look="quiet" onClick={() => setOpen({ dialog: "edit", of })} />
        {of.deliveredAt === undefined && shipments.length > 1 && (
          <Button text="Deliver" look="quiet" onClick={() => setOpen({ dialog: "deliver", of })} />
        )}
      </span>
    ),
  };
  return (
    <Section title="Shipments">
      <Table caption="Shipments" columns={isEditor ? [...columns, actions] : columns} rows={shipments} />
      {open && <ShipmentDialog {...open} order={order} etag={etag} onClose={() => setOpen(null)} />}
    </Section>
  );
}

interface ShipmentDialogProps extends Omit<ShipmentsProps, "shipments"> {
  readonly dialog: "edit" | "deliver";
  readonly of: Shipment;
  readonly onClose: () => void;
}

function ShipmentDialog({ dialog, of, order: { id }, etag, onClose }: ShipmentDialogProps) {
  const shared = { stale: STALE, onClose };
  if (dialog === "deliver")
    return (
      <Confirm
        {...shared}
        title="Mark this shipment as delivered?"
        action="Mark as delivered"
        look="primary"
        operation="deliverOrder"
        input={{ path: { id }, body: { shipmentId: of.id }, ifMatch: etag }}
        done="The shipment is delivered."
      >
        <p>It has reached the customer. This cannot be undone.</p>
      </Confirm>
    );
  return (
    <ChangeDialog
      {...shared}
      title="Edit the parcel"
      action="Save"
      operation="updateShipment"
      input={(form) => ({ path: { id, shipmentId: of.id }, body: parcelIn(form) })}
      done="The parcel is changed."
    >
      <div className="fields">
        <Text name="carrier" label="Carrier" defaultValue={of.carrier} />
        <Text name="trackingNumber" label="Tracking number" defaultValue={of.trackingNumber} />
      </div>
    </ChangeDialog>
  );
}

function parcelIn(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? "").trim() || null;
  return { carrier: text("carrier"), trackingNumber: text("trackingNumber") };
}
