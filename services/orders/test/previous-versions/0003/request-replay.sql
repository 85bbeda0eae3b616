insert into replay (until) values (now())
on conflict (only_one) do update
   set until = now(), after_published_at = excluded.after_published_at, after_id = excluded.after_id
