create table meeting_insights (
  room             text collate "C" not null,
  started_at       timestamptz not null,
  ended_at         timestamptz not null,
  insight_id       uuid,
  duration_seconds double precision,
  company_id       uuid,
  job_id           uuid,
  talent_id        uuid,
  -- Sealed.
  summary          text,
  summary_by       text,
  generated_at     timestamptz,
  -- Late news divided the meeting: it is shown no more.
  withdrawn        boolean not null,
  primary key (room, started_at, ended_at)
);
create index on meeting_insights (company_id, ended_at, insight_id) where insight_id is not null and not withdrawn;
