create table match_scores (
  job_id          uuid not null,
  talent_id       uuid not null,
  company_id      uuid not null,
  score           smallint not null,
  parts           jsonb not null,
  adjustment      smallint,
  explanation     text not null,
  job_version     text not null,
  talent_version  text not null,
  computed_at     timestamptz not null,
  primary key (job_id, talent_id)
);
create index on match_scores (job_id, score desc, talent_id);
create index on match_scores (talent_id);
