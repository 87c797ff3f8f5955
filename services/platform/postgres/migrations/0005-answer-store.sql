create schema answer_store;

-- Calls that were sent with an Idempotency-Key: who makes the call, and what it was answered with. Neither truth nor read
-- model: the ledger alone says what was charged. Everything that a caller sent or was sent is sealed under its own API key,
-- which is stored nowhere.
create table answer_store.claims (
  -- Company, API key, path and Idempotency-Key as one mark; the second is that of the body.
  scope       text collate "C" primary key,
  fingerprint text collate "C" not null,
  -- The call's id on the ledger. A claim that is made anew has another one, so that no failure stands in its way.
  call_id     uuid not null,
  -- New with every taking: whoever was replaced unawares finds nothing to write on any more.
  holder      uuid not null,
  -- By this server's clock, so that those of its clients do not matter.
  leased_to   timestamptz not null,
  -- There before the charge is booked; null: not yet.
  answer      bytea,
  -- The charge is on the ledger.
  settled     boolean not null default false,
  -- By the gateways' clock.
  expires_at  timestamptz not null
);
-- Sealed bytes cannot be compressed.
alter table answer_store.claims alter column answer set storage external;
create index claims_by_expiry on answer_store.claims (expires_at);
