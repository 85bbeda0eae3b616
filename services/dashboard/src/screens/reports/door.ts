// What the overview shows of the reports.
export { SalesReport } from "./sales-report.tsx";
