// What other areas do with customers.
export { CreateCustomerDialog } from "./customer-dialogs.tsx";
