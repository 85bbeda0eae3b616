select until::text, after_published_at::text, after_id::text from replay for no key update
