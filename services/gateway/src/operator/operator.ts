/** The actor of the operator's commands in audit entries and events. */
export const OPERATOR = { type: "operator", id: "operator", name: "Operator" } as const;
