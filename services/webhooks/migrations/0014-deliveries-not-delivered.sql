-- An index for the deliveries that did not succeed: a list filtered by a status, an outcome or a status code of failures finds
-- them among millions that were delivered. Recording a success does not touch it. Creating it locks the log for about a second
-- per million deliveries. The previous version continues to work.

create index on delivery_log (tenant_id, created_at desc, id desc) where status <> 'delivered';
