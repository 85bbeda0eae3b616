-- What an event is about, in words, and the words by which it is found (interface §24). Events of 1.0.0 have neither.
-- works with: 1.0.0

alter table events
  add column subject text,
  add column subject_words text;
