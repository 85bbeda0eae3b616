-- Links that sign a user in, which `npm start` prints (interface §9). Only users without a second factor get one. To the previous
-- release its token is one that waits for a code, which such a user cannot have.
-- works with: 1.0.0

alter table unfinished_sign_ins add column is_link boolean not null default false;
