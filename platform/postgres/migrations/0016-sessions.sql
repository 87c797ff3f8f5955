-- Browsers that are signed in to the console. Neither source of truth nor read model, and not part of a backup: if the
-- rows are lost, people sign in again. The token is only in the browser's cookie; here is its hash.
create table platform.sessions (
  session_id    uuid primary key,
  token_hash    bytea not null unique check (octet_length(token_hash) = 32),
  user_id       uuid not null,
  -- The user's token version at the sign-in. Whatever ends access tokens raises the version and ends the session too.
  token_version integer not null,
  -- Browser and network in a short form, by which people recognise their sessions.
  device        text not null,
  network       text not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz not null,
  -- Moves with each renewal, and is never after ends_at.
  expires_at    timestamptz not null,
  ends_at       timestamptz not null
);
create index on platform.sessions (user_id);
create index on platform.sessions (expires_at);

-- Links that sign a demo user in once. Only sandbox installations have rows here.
create table platform.sign_in_links (
  token_hash    bytea primary key check (octet_length(token_hash) = 32),
  user_id       uuid not null,
  token_version integer not null,
  expires_at    timestamptz not null
);
