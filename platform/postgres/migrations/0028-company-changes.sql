-- The position at which a backend last changed what a company may do, for installations of several processes without Redis:
-- a gateway that would refuse a call compares it with its views. Neither source of truth nor read model: a row that is lost
-- costs a refusal that is right a moment later. Unlogged, because nothing in it outlives a crash of the database.
create unlogged table platform.company_changes (
  company_id uuid not null,
  category   text not null,
  -- Compared byte by byte, as the event store orders positions.
  position   text collate "C" not null,
  changed_at timestamptz not null,
  primary key (company_id, category)
);
