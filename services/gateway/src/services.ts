// The services behind the gateway. Pure.

export const SERVICES = ["orders", "content", "webhooks"] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface ServiceRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: object;
}

/** Resolves with `data` of a 200; throws an error with the `status` of any other response. */
export type AskService = (
  service: ServiceName,
  tenantId: string,
  request: ServiceRequest,
) => Promise<unknown>;
