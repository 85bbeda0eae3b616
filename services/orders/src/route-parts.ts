export const READ = { module: "crm", role: "viewer", scope: "read:crm" } as const;
export const WRITE = { module: "crm", role: "editor", scope: "write:crm" } as const;
