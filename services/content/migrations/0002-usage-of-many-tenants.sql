-- The worker reads how many bytes of media several tenants keep in one statement (interface §19). The previous release ignores it.
-- works with: 1.0.0

grant select on media_bytes to tradepost_content_worker;
create policy worker on media_bytes for select to tradepost_content_worker using (true);
