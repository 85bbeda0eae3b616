alter table published_events attach partition published_events_20200101 for values from ('2020-01-01 00:00:00Z') to ('2020-01-02 00:00:00Z')
