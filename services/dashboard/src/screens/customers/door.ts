// What other areas do with customers.
export { CreateCustomerDialog } from "./create-customer-dialog.tsx";
