create table daily_tokens (
  day              text collate "C" not null,
  company_id       uuid not null,
  tokens_charged   bigint not null,
  tokens_abandoned bigint not null,
  primary key (day, company_id)
);
