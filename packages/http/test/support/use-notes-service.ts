import type { UnreadLimits } from "../../src/unread-limit.ts";
import { startNotesService } from "./notes-service.ts";

/** Before each test of the file, no request has been handled. */
export async function useNotesService(unread?: UnreadLimits) {
  const service = await startNotesService({ ...(unread && { unread }) });
  beforeEach(() => {
    service.handled.length = 0;
  });
  afterAll(() => service.stop());
  return service;
}
