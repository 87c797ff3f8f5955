create table usage (
  key_id         uuid not null,
  alias          text collate "C" not null,
  granularity    text collate "C" not null,
  bucket         timestamptz not null,
  company_id     uuid not null,
  requests       bigint not null,
  failures       bigint not null,
  tokens_in      bigint not null,
  tokens_out     bigint not null,
  charged_micros numeric(40) not null,
  primary key (key_id, granularity, bucket, alias)
);
