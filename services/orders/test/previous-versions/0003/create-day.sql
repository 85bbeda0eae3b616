create table published_events_20200101 (like published_events including all excluding indexes)
