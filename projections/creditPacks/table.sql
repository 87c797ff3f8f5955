create table credit_packs (
  pack_id             uuid primary key,
  name                text not null,
  status              text not null,
  credits_micros      numeric not null,
  price               text not null,
  currency            text not null,
  sort_order          bigint not null,
  valid_days          bigint,
  provider_product_id text,
  provider_price_id   text,
  created_at          timestamptz not null,
  updated_at          timestamptz not null
);
