// Places an order for a customer.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { holderOf, useMe } from "../../data/me.ts";
import { missing } from "../../session/roles.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Refused } from "../../ui/refused.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ChooseCustomer } from "./choose-customer.tsx";
import { OrderForm } from "./order-form.tsx";

const TITLE = "Place an order";

export default function PlaceOrder() {
  const reason = missing(holderOf(useMe()), { role: "editor" });
  return reason === undefined ? <Allowed /> : <Refused title={TITLE} reason={reason} />;
}

function Allowed() {
  const { customerId } = useSearch({ from: "/app/orders/new" });
  const navigate = useNavigate({ from: "/orders/new" });
  const [isMissing, setMissing] = useState(false);
  const choose = (id: string | undefined) => {
    setMissing(false);
    // The screen stays the same, so the typed order is kept.
    void navigate({ search: id === undefined ? {} : { customerId: id }, replace: true });
  };
  return (
    <Screen title={TITLE}>
      <ChooseCustomer customerId={customerId} isMissing={isMissing} onChoose={choose} />
      <LeaveGuard>
        <OrderForm customerId={customerId} onWithoutCustomer={() => setMissing(true)} />
      </LeaveGuard>
      <BehindTheScreen
        operation="placeOrder"
        input={{
          body: {
            customerId: customerId ?? "",
            items: [{ sku: "MUG-BLUE", name: "Mug, blue", quantity: 1, unitPrice: 19.99 }],
          },
        }}
      />
    </Screen>
  );
}
