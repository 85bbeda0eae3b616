// The currency that a form begins with: that of the shop's latest order. It stays when another order is placed meanwhile.
import { useState } from "react";
import { useList } from "../../data/use-list.ts";

export function useShopCurrency(): string {
  const { items: [latest] = [] } = useList("listOrders", { limit: 1 });
  const [first, setFirst] = useState<string>();
  if (first === undefined && latest !== undefined) setFirst(latest.currency);
  return first ?? latest?.currency ?? "USD";
}
