// A program that runs the notes service as a separate process, so that a test can measure its memory. It sends its port to its
// parent.
import { startNotesService } from "./notes-service.ts";

const { port } = await startNotesService();
process.send?.(port);
