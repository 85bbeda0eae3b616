update customers
   set (name, email, phone, external_id, metadata) = row ($3, $4, $5, $6, $7), version = $8,
       updated_at = greatest(statement_timestamp(), updated_at + interval '1 ms')
 where tenant_id = $1 and id = $2 and version = $8 - 1
returning updated_at
