// The modules in the words of a shop. Pure.
import type { DataOf } from "@tradepost/client/operations";

type ModuleName = DataOf<"listModules">[number]["name"];

interface ModuleText {
  readonly title: string;
  readonly brings: string;
  /** Says what stops while the module is not active. */
  readonly stops: string;
}

export const MODULES: Readonly<Record<ModuleName, ModuleText>> = {
  crm: {
    title: "Orders and customers",
    brings:
      "Orders with payments, shipping and refunds, imports of orders, and the customers who place them.",
    stops: "Nobody sees or places orders, and programs that do are refused.",
  },
  content: {
    title: "Content, media and redirects",
    brings:
      "Entries of your own types with drafts and schedules, images and files, and redirects of your site.",
    stops:
      "Nobody sees or changes content, and programs that read it are refused: a site that reads it may stay empty. Entries that are scheduled go live all the same. Webhooks and their log are not shown; deliveries go on.",
  },
};
