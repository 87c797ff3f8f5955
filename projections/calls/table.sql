create table calls (
  company_id     uuid not null,
  finished_at    timestamptz not null,
  call_id        uuid not null,
  key_id         uuid not null,
  state          text collate "C" not null,
  alias          text collate "C" not null,
  endpoint       text not null,
  streamed       boolean not null,
  label          text collate "C",
  tokens_in      bigint not null,
  tokens_cached  bigint,
  tokens_out     bigint not null,
  charged_micros numeric(40) not null,
  abandoned      boolean not null,
  admitted_at    timestamptz not null,
  reason         text,
  revision       bigint not null,
  primary key (company_id, finished_at, call_id)
);
create index on calls (call_id);
create index on calls (key_id, finished_at, call_id);
create index on calls (company_id, alias, finished_at, call_id);
create index on calls (company_id, label, finished_at, call_id) where label is not null;
create index on calls (company_id, state, finished_at, call_id) where state <> 'CHARGED';
