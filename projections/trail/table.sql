create table trail (
  stream         text collate "C" not null,
  revision       bigint not null,
  event_id       uuid not null,
  recorded_at    timestamptz not null,
  type           text not null,
  company_id     uuid,
  actor_kind     text not null,
  actor_id       text not null,
  correlation_id text not null,
  causation_id   text not null,
  user_id        uuid,
  key_id         uuid,
  purchase_id    uuid,
  invoice_id     text,
  facts          jsonb not null,
  primary key (stream, revision)
);
create index on trail (recorded_at, stream, revision);
create index on trail (company_id, recorded_at, stream, revision) where company_id is not null;
create index on trail (type, recorded_at, stream, revision);
create index on trail (company_id, type, recorded_at, stream, revision) where company_id is not null;
create index on trail (correlation_id);
create index on trail (actor_id, recorded_at, stream, revision) where actor_kind <> 'system';
create index on trail (user_id, recorded_at, stream, revision) where user_id is not null;
create index on trail (key_id, recorded_at, stream, revision) where key_id is not null;
create index on trail (purchase_id) where purchase_id is not null;
create index on trail (invoice_id) where invoice_id is not null;
create index on trail ((facts ->> 'bookedAt') collate "C", stream, revision)
  where type in ('CreditsGranted', 'CreditsRefunded', 'InvoiceSettled');
create index on trail ((facts ->> 'grantId')) where type in ('CreditsWithdrawn', 'CreditsReinstated');
