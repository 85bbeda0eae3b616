export { CreateCustomerDialog } from "./customer-dialogs.tsx";
