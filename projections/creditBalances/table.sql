create table credit_balances (
  company_id            uuid primary key,
  grants_micros         numeric(40) not null,
  charges_micros        numeric(40) not null,
  reversals_micros      numeric(40) not null,
  refunds_micros        numeric(40) not null,
  adjustments_micros    numeric(40) not null,
  settlements_micros    numeric(40) not null,
  expiries_micros       numeric(40) not null,
  withdrawals_micros    numeric(40) not null,
  reinstatements_micros numeric(40) not null,
  balance_micros        numeric(40) not null,
  updated_at            timestamptz not null
);
