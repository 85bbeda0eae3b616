export {
  columnsOf,
  dataMap,
  type Erasure,
  type MappedTable,
  type ServiceName,
  type TenantTable,
  tenantTables,
} from "./data-map.ts";
