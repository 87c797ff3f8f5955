create table invoices (
  invoice_id          text collate "C" primary key,
  company_id          uuid not null,
  status              text not null,
  provider_invoice_id text,
  subscription_id     text,
  amount_minor        numeric not null,
  currency            text not null,
  issued_at           timestamptz,
  due_at              timestamptz,
  paid_at             timestamptz,
  pay_url             text,
  pdf_url             text,
  month               text,
  credits_micros      numeric(40),
  lines               text,
  said_at             timestamptz,
  answered            boolean not null
);
create index on invoices (company_id, issued_at);
create index on invoices (company_id, month) where month is not null;
