// The parts of the platform that a tenant can activate (interface §2). Pure.

export const moduleNames = ["crm", "content"] as const;
export type ModuleName = (typeof moduleNames)[number];
