-- Whether the next attempt of a listener's delivery has been leased more than once, so that a result without the id of its lease may be
-- from a client that has lost it. The previous release continues to work: it does not write it, and accepts these results.
-- works with: 0.2.0

alter table deliveries add column leased_again boolean;
