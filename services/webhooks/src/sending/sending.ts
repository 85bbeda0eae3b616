// The door of this wing.
export { startAdmissionLoop } from "./admission-loop.ts";
export { type ClaimedDelivery, lockTime, type StartedDelivery } from "./attempt/claimed-delivery.ts";
export { startSend } from "./attempt/send.ts";
export { startCountingProcesses } from "./count-processes.ts";
export { startDispatch } from "./dispatch.ts";
export { startRenewingClaims } from "./renew-claims.ts";
export { createRequeue, jobHandler } from "./requeue.ts";
export type { EndpointState } from "./scheduler/endpoint-record.ts";
export { createScheduler, type Reservation, type Scheduler } from "./scheduler/scheduler.ts";
export type { MadeAttempt, SettledDelivery } from "./settle/apply-transitions.ts";
export { createResponseBodies } from "./settle/attempt-log.ts";
export { attemptSummary, countAttempts } from "./settle/observe-attempts.ts";
export { recordAttempts } from "./settle/record-attempts.ts";
export { createSettle } from "./settle/settle.ts";
export { startSweep } from "./sweep.ts";
