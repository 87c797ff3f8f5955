create table webhooks (
  event_id     text collate "C" primary key,
  type         text not null,
  status       text not null,
  attempt      int not null,
  effect       text,
  error        text,
  received_at  timestamptz not null,
  processed_at timestamptz
);
create index on webhooks (status, received_at);
