// The door of this wing.
export { startAdmissionLoop } from "./admission-loop.ts";
export { type ClaimedDelivery, lockTime, type StartedDelivery } from "./attempt/claimed-delivery.ts";
export { startSend } from "./attempt/send.ts";
export { startCountingProcesses } from "./count-processes.ts";
export { startDispatch } from "./dispatch.ts";
export { startHandleJob } from "./handle-job.ts";
export { startRenewingClaims } from "./renew-claims.ts";
export { startRequeue } from "./requeue.ts";
export type { EndpointState } from "./scheduler/endpoint-record.ts";
export { createScheduler, type Reservation, type Scheduler } from "./scheduler/scheduler.ts";
export type { MadeAttempt, SettledDelivery } from "./settle/apply-transitions.ts";
export { attemptSummary } from "./settle/attempt-summary.ts";
export { countAttempts } from "./settle/count-attempts.ts";
export { recordAttempts } from "./settle/record-attempts.ts";
export { createResponseBodies } from "./settle/response-bodies.ts";
export { startSettle } from "./settle/settle.ts";
export { startSweep } from "./sweep.ts";
