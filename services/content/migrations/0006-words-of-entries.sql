-- A migration of its own, because it reads all rows, and holds a lock while it does. A write appends to a list of at most 1 MiB, which
-- searches read too.
-- works with: 1.0.0

create index entry_revisions_words on entry_revisions using gin (words_and_ids_of_entry(tenant_id, data, slug)) with (gin_pending_list_limit = 1024);
