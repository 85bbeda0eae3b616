import { Badge } from "../../ui/badge.tsx";

export function Status({ isActive }: { readonly isActive: boolean }) {
  return isActive ? <Badge tone="good">Active</Badge> : <Badge tone="quiet">Inactive</Badge>;
}
