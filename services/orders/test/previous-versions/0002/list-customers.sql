select * from "customers" where "tenant_id" = $1 order by created_at desc, id desc limit $2
