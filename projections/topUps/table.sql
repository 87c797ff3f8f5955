create table top_ups (
  company_id        uuid primary key,
  is_on             boolean not null,
  threshold_micros  numeric,
  running_attempt   uuid,
  tried_at_micros   numeric,
  last_failed       boolean not null,
  may_repeat        boolean not null
);
create index on top_ups (company_id) where running_attempt is not null;
