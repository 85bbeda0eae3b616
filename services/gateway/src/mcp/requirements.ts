// What callers of the tools need: the requirements of the routes that the tools use (interface §4, §5 and §7).
import type { Requirement } from "@tradepost/http";

const requirement = (needed: Requirement): Requirement => needed;

export const READ_CRM = requirement({ module: "crm", role: "viewer", scope: "read:crm" });
export const WRITE_CRM = requirement({ module: "crm", role: "editor", scope: "write:crm" });
export const READ_CONTENT = requirement({ module: "content", role: "viewer", scope: "read:content" });
export const WRITE_CONTENT = requirement({ module: "content", role: "editor", scope: "write:content" });
