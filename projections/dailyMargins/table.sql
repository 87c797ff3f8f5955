create table daily_margins (
  day            text collate "C" not null,
  company_id     uuid not null,
  alias          text collate "C" not null,
  provider       text collate "C" not null,
  cost_currency  text collate "C" not null,
  calls          bigint not null,
  failures       bigint not null,
  charged_micros numeric(40) not null,
  cost_micros    numeric(40) not null,
  primary key (day, company_id, alias, provider, cost_currency)
);
