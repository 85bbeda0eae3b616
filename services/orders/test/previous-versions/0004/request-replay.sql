  insert into replay (until) values (clock_timestamp())
  on conflict (only_one) do update
     set until = greatest(excluded.until, replay.until + interval '1 microsecond'),
         after_published_at = excluded.after_published_at, after_id = excluded.after_id
