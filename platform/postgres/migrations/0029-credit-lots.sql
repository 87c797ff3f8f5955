-- The lots of each company, as the fold of its ledger leaves them: not a source of truth, since the reactor can compute them
-- again from the events. One process at a time writes them, under a lease whose epoch is compared at each write.
create schema credit_lots;

create table credit_lots.progress (
  singleton boolean primary key default true check (singleton),
  -- Compared byte by byte, as the event store orders positions.
  position text collate "C" not null,
  epoch    bigint not null
);
insert into credit_lots.progress (position, epoch) values ('', 0);

create table credit_lots.companies (
  company_id uuid primary key,
  -- The last revision of its ledger that the lots include.
  revision   bigint not null,
  -- Oldest first: {of, amountMicros}.
  debts      jsonb not null,
  debt_micros numeric(40) not null
);

create table credit_lots.lots (
  company_id       uuid not null,
  lot_id           text not null,
  -- Counts the lots of the company.
  age              bigint not null,
  source           text not null,
  priority         bigint not null,
  expires_at       timestamptz,
  -- {share, expiresAtMs}
  rollover         jsonb,
  -- The grant of what rolls over, if there is any.
  rollover_id      uuid,
  granted_micros   numeric(40) not null,
  spent_micros     numeric(40) not null,
  expired_micros   numeric(40) not null,
  owed_micros      numeric(40) not null,
  given_back_micros numeric(40) not null,
  refunded_micros  numeric(40) not null,
  disputed_micros  numeric(40) not null,
  corrected_micros numeric(40) not null,
  left_micros      numeric(40) not null,
  -- What pays for credits that were taken although they were spent: {lotId, amountMicros}.
  lacking_parts    jsonb not null,
  primary key (company_id, lot_id)
);
create index on credit_lots.lots (expires_at) where expires_at is not null and left_micros > 0;
create index on credit_lots.lots (company_id) where owed_micros > 0;
create index on credit_lots.lots (lot_id);
create index on credit_lots.lots (expires_at) where rollover is not null;

-- Where charges took their credits from, so that a reversal can restore them: a row for many charges, because one for each
-- would cost every call an insert. Of a charge that is in several rows, the last row is right.
create table credit_lots.charges (
  company_id uuid not null,
  -- What the ids of the charges begin with.
  id_prefix  text collate "C" not null,
  seq        bigint generated always as identity,
  -- {lotIds, charges: {<charge id>: [<index of a lot>, <amount>, ...]}}
  parts      json not null,
  primary key (company_id, id_prefix, seq)
);

-- Grants and refunds by their event ids, which corrections name.
create table credit_lots.entries (
  event_id  uuid primary key,
  kind      text not null,
  lot_id    text not null,
  taking_id text
);
