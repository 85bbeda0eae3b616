-- A migration of its own, because it reads all rows, and holds a lock while it does. A write appends to a list of at most 1 MiB, which
-- searches read too.
-- works with: 1.0.0

create index media_words on media using gin (search_words(tenant_id, filename)) with (gin_pending_list_limit = 1024);
