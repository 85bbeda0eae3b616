// The ids of rows that have just appeared in a list, which tables point out for a moment.
import { createContext } from "react";

export const NewRows = createContext<ReadonlySet<string>>(new Set());
