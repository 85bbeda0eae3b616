// What other areas show of people.
export { RoleText } from "./role-text.tsx";
export { SessionTable } from "./session-table.tsx";
