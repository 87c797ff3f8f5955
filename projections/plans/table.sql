create table plans (
  plan_id                   uuid primary key,
  name                      text not null,
  active                    boolean not null,
  billing_mode              text not null,
  price                     text not null,
  currency                  text not null,
  credits_per_period_micros numeric not null,
  due_days                  numeric not null,
  rollover_share            text,
  provider_product_id       text,
  provider_price_id         text,
  sort_order                bigint not null,
  created_at                timestamptz not null,
  updated_at                timestamptz not null
);
