create table documents (
  document_id uuid primary key,
  company_id  uuid not null,
  kind        text not null,
  status      text not null,
  -- Sealed.
  filename    text not null,
  bytes       bigint not null,
  error       text,
  talent_id   uuid,
  job_id      uuid,
  uploaded_at timestamptz not null
);
create index on documents (company_id, uploaded_at, document_id);
