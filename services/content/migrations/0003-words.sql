-- Redirects, media and entries are found by their words (interface §19), which indexes of the next migrations have. Media have a text
-- for people who do not see them. The previous release ignores all of it.
-- works with: 1.0.0

alter table media add column alt_text text;

-- The words of texts are those of `wordsOf` in @tradepost/search, as lexemes that begin with the end of the tenant's id, which is
-- random: so one index has the words of all tenants.
create function search_words(tenant uuid, variadic texts text[]) returns tsvector language plpgsql immutable parallel safe as $$
declare
  prefix text := right(tenant::text, 8);
  found text[] := '{}';
  words text[];
  inner_words text[];
  value text;
  part text;
  piece text;
  pieces text[];
begin
  foreach value in array texts loop
    words := '{}';
    inner_words := '{}';
    value := left(value, 2048);
    if octet_length(value) = length(value) then
      value := lower(value collate "C");
    else
      value :=
        translate(replace(replace(replace(replace(
            lower(regexp_replace(normalize(value, nfkd),
              '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
              '\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd\u0816-\u0819'
              '\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u0903\u093a-\u093c\u093e-\u094f'
              '\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09bc\u09be-\u09cd\u09d7\u09e2-\u09e3\u09fe-\u0a03\u0a3c-\u0a51\u0a70-\u0a71'
              '\u0a75\u0a81-\u0a83\u0abc\u0abe-\u0acd\u0ae2-\u0ae3\u0afa-\u0b03\u0b3c\u0b3e-\u0b57\u0b62-\u0b63\u0b82\u0bbe-\u0bcd'
              '\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c56\u0c62-\u0c63\u0c81-\u0c83\u0cbc\u0cbe-\u0cd6\u0ce2-\u0ce3\u0cf3-\u0d03'
              '\u0d3b-\u0d3c\u0d3e-\u0d4d\u0d57\u0d62-\u0d63\u0d81-\u0d83\u0dca-\u0ddf\u0df2-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e'
              '\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f3f\u0f71-\u0f84\u0f86-\u0f87\u0f8d-\u0fbc'
              '\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d'
              '\u135d-\u135f\u1712-\u1715\u1732-\u1734\u1752-\u1753\u1772-\u1773\u17b4-\u17d3\u17dd\u180b-\u180d\u180f\u1885-\u1886'
              '\u18a9\u1920-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1b82\u1ba1-\u1bad'
              '\u1be6-\u1bf3\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1'
              '\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-\ua672\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua802\ua806\ua80b'
              '\ua823-\ua827\ua82c\ua880-\ua881\ua8b4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua953\ua980-\ua983\ua9b3-\ua9c0'
              '\ua9e5\uaa29-\uaa36\uaa43\uaa4c-\uaa4d\uaa7b-\uaa7d\uaab0\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaeb-\uaaef'
              '\uaaf5-\uaaf6\uabe3-\uabea\uabec-\uabed\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f]+', '', 'g') collate "und-x-icu"),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øðđħıłŧς', 'oddhiltσ');
    end if;
    foreach part in array coalesce(regexp_split_to_array(value, '\s+'), '{}') loop
      continue when part = '';
      words := words || left(part, 40);
      pieces := regexp_split_to_array(part collate "und-x-icu", '(?<=[^[:alnum:]])(?=[[:alnum:]])');
      foreach piece in array pieces[:least(cardinality(pieces), 17) - 1] loop
        part := substr(part, length(piece) + 1);
        inner_words := inner_words || left(part, 40);
      end loop;
    end loop;
    pieces := '{}';
    foreach piece in array words || inner_words loop
      continue when piece = any(pieces);
      exit when cardinality(pieces) = 16;
      pieces := pieces || piece;
      found := found || (prefix || piece);
    end loop;
  end loop;
  return array_to_tsvector(found);
end
$$;

-- With octets that are UTF-8 as characters, as people read a path.
create function decoded_path(path text) returns text language plpgsql immutable parallel safe as $$
begin
  if strpos(path, '%') = 0 then
    return path;
  end if;
  begin
    return (
      select convert_from(string_agg(case when part[1] ~ '^%.' then decode(substr(part[1], 2), 'hex') else convert_to(part[1], 'UTF8') end,
                                     '' order by n), 'UTF8')
        from regexp_matches(path, '%[[:xdigit:]]{2}|[^%]+|%', 'g') with ordinality as parts (part, n));
  exception when character_not_in_repertoire or untranslatable_character then
    return path;
  end;
end
$$;

create function words_of_redirect(tenant uuid, from_path text, to_target text) returns tsvector language sql immutable parallel safe return
  search_words(tenant, decoded_path(from_path), decoded_path(to_target));

-- The title of an entry, or else its first text, and its slug.
create function words_of_entry(tenant uuid, data json, slug text) returns tsvector language sql immutable parallel safe return
  search_words(tenant, slug, coalesce(nullif(data ->> 'title', ''), (
    select value #>> '{}' from json_each(data) where json_typeof(value) = 'string' and value #>> '{}' ~ '\S' limit 1)));

-- With the ids in its fields, such as those of media. They begin with a blank, as no word of a text does.
create function words_and_ids_of_entry(tenant uuid, data json, slug text) returns tsvector language sql immutable parallel safe return
  words_of_entry(tenant, data, slug) || array_to_tsvector(array(
    select right(tenant::text, 8) || ' ' || lower(value) from json_each_text(data)
     where octet_length(value) = 36 and value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'));

-- Row-level security keeps `@@` from the index, because it might disclose what it compares. These functions read the index as the
-- owner, and return ids of the tenant only, in no order.
create function find_redirects(query tsquery, most integer) returns setof uuid language sql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
  select id from (select tenant_id, id from redirects where words_of_redirect(tenant_id, from_path, to_target) @@ query offset 0) found
   where tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid limit most
$$;

create function find_media(query tsquery, most integer) returns setof uuid language sql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
  select id from (select tenant_id, id from media where search_words(tenant_id, filename) @@ query offset 0) found
   where tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid limit most
$$;

-- All revisions have words; the caller compares the one that it shows.
create function find_entries(query tsquery, most integer) returns setof uuid language sql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
  select entry_id from (select tenant_id, entry_id from entry_revisions where words_and_ids_of_entry(tenant_id, data, slug) @@ query offset 0) found
   where tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid limit most
$$;

revoke execute on function find_redirects, find_media, find_entries from public;
grant execute on function find_redirects, find_media, find_entries to tradepost_content;
