select set_config('role', $1, false), set_config('tradepost.tenant_id', $2, false)
