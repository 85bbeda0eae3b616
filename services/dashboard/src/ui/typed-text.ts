// Whether a form has typed text that would be lost, for the dialog or the screen that surrounds it.
import { createContext, type RefObject } from "react";

export const TypedText = createContext<RefObject<boolean> | null>(null);
