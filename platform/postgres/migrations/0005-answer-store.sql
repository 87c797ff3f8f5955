create schema answer_store;

-- Calls that were sent with an Idempotency-Key: the gateway that makes the call, and the response. Neither source of
-- truth nor read model: only the ledger says what was charged. Everything that a caller sent or received is encrypted
-- with a key derived from its API key, which is not stored.
create table answer_store.claims (
  -- A keyed hash of company, API key, path and Idempotency-Key; fingerprint is a keyed hash of the body.
  scope       text collate "C" primary key,
  fingerprint text collate "C" not null,
  -- The id of the call on the ledger. A new claim gets a new id, so that an earlier CallFailed does not block it.
  call_id     uuid not null,
  -- Changes with every holder: a holder that was replaced without noticing no longer matches any row.
  holder      uuid not null,
  -- By the clock of this server, so the clocks of its clients do not matter.
  leased_to   timestamptz not null,
  -- Stored before the charge is appended; null until then.
  answer      bytea,
  -- The charge is on the ledger.
  settled     boolean not null default false,
  -- By the clock of the gateways.
  expires_at  timestamptz not null
);
-- Encrypted bytes do not compress.
alter table answer_store.claims alter column answer set storage external;
create index claims_by_expiry on answer_store.claims (expires_at);
