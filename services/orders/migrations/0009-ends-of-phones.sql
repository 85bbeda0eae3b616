-- Customers are found by the last digits of their phone (interface §19), also those that the previous release wrote. It ignores the
-- words.
-- works with: 1.0.0

with phones as (
  select tenant_id, id, 'P' || left(reverse(regexp_replace(normalize(phone, nfkd), '[^0-9]', '', 'g')), 39) as word
    from customers where phone is not null
), added as (
  insert into customer_words (tenant_id, word, customer_id)
  select tenant_id, word, id from phones where length(word) > 7
)
update customers
   set search_text = concat(search_text, ' ', word)
  from phones
 where customers.tenant_id = phones.tenant_id and customers.id = phones.id and length(word) > 7;
