// The fields of an order that these integrations use.

export interface Order {
  readonly id: string;
  readonly externalId?: string;
  readonly channel: string;
  readonly status: string;
  readonly paymentStatus: string;
  readonly total: number;
  readonly version: number;
}
