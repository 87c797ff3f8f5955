create table usage_by_label (
  company_id     uuid not null,
  granularity    text collate "C" not null,
  bucket         timestamptz not null,
  label          text collate "C" not null,
  key_id         uuid not null,
  alias          text collate "C" not null,
  requests       bigint not null,
  failures       bigint not null,
  tokens_in      bigint not null,
  tokens_out     bigint not null,
  charged_micros numeric(40) not null,
  primary key (company_id, granularity, bucket, label, key_id, alias)
);
create index on usage_by_label (key_id, granularity, bucket);
create index on usage_by_label (company_id, label, granularity, bucket);
create index on usage_by_label (bucket) where granularity = 'day';
