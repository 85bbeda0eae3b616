// The tenant in events.
import { z } from "zod";

/** The `data` of `tenant.created`. */
export const tenantData = z.strictObject({
  tenant: z.strictObject({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    modules: z.array(z.enum(["content", "crm"])),
    createdAt: z.iso.datetime(),
  }),
});

/** An example of `tenant.created`. */
export const tenantExample = {
  tenant: {
    id: "0198c5b3-0b1c-7a2d-9e3f-405162738495",
    slug: "acme",
    name: "Acme",
    modules: ["content", "crm"],
    createdAt: "2026-08-20T09:30:00.000Z",
  },
};
