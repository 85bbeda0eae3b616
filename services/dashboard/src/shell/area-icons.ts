// The icons of the navigation.
import type { ReactNode } from "react";
import {
  BellIcon,
  BlocksIcon,
  ExchangeIcon,
  GaugeIcon,
  HomeIcon,
  HookIcon,
  KeyIcon,
  ListIcon,
  PageIcon,
  PeopleIcon,
  PersonIcon,
  PictureIcon,
  PulseIcon,
  ReceiptIcon,
  SendIcon,
  SwitchIcon,
  TurnIcon,
} from "../ui/icons.tsx";
import type { AreaPath } from "./areas.ts";

export const AREA_ICONS: Readonly<Record<AreaPath, () => ReactNode>> = {
  "/notices": BellIcon,
  "/": HomeIcon,
  "/orders": ReceiptIcon,
  "/customers": PersonIcon,
  "/entries": PageIcon,
  "/content-types": BlocksIcon,
  "/media": PictureIcon,
  "/redirects": TurnIcon,
  "/webhooks": HookIcon,
  "/deliveries": SendIcon,
  "/events": PulseIcon,
  "/ai-integrations": KeyIcon,
  "/staff": PeopleIcon,
  "/modules": SwitchIcon,
  "/audit-log": ListIcon,
  "/requests": ExchangeIcon,
  "/usage": GaugeIcon,
};
