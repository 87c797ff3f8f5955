-- What each gateway serves and how its providers answer, for processes that serve no calls. Neither source of truth nor
-- read model: a report is meaningless once its gateway is gone.
create table platform.gateway_reports (
  gateway_id  uuid primary key,
  report      jsonb not null,
  reported_at timestamptz not null
) with (fillfactor = 50);
