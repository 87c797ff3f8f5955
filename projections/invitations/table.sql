create table invitations (
  invitation_id uuid primary key,
  company_id    uuid not null,
  status        text not null,
  email         text,
  email_lookup  text,
  role          text not null,
  invited_by    uuid not null,
  invited_at    timestamptz not null,
  expires_at    timestamptz not null,
  ended_at      timestamptz
);
create index on invitations (company_id, invited_at);
create index on invitations (email_lookup);
