// A program: runs the notes service as a process of its own, so that a test can read its memory. It sends its port to its parent.
import { startNotesService } from "./notes-service.ts";

const { port } = await startNotesService();
process.send?.(port);
