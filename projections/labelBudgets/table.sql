create table label_budgets (
  company_id    uuid not null,
  label         text collate "C" not null,
  budget_micros numeric(40),
  budget_period text,
  primary key (company_id, label)
);
