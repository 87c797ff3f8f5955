create schema event_store;

-- The last revision of each stream. -1 stands for a stream that nothing has been appended to yet:
-- the row exists so that the first append has something to lock.
create table event_store.streams (
  stream   text collate "C" primary key,
  revision bigint not null
) with (fillfactor = 50);

create table event_store.events (
  position    bigint primary key,
  stream      text collate "C" not null,
  revision    bigint not null,
  event_id    uuid not null,
  type        text not null,
  data        json not null,
  metadata    json not null,
  recorded_at timestamptz not null,
  unique (stream, revision),
  unique (event_id, stream)
);

-- One row. Whoever appends takes it last and keeps it until commit, so that the order of positions is the order
-- of commits, positions have no gaps, and a reader that has seen position P has seen everything before it.
create table event_store.counter (
  only_row boolean primary key default true check (only_row),
  position bigint not null
) with (fillfactor = 10);
insert into event_store.counter (position) values (0);

-- Stores many appends in one transaction, each of which succeeds or fails alone.
-- _streams: the streams concerned, sorted and distinct. Locking them in that order rules out deadlocks.
-- _events: [{append_no, stream, expected, ord, id, type, data, metadata}]; expected is -2 for any, -1 for none.
-- The caller sees to it that a stream with an expected revision occurs in one append only, and an id once.
create function event_store.append_batch(_streams text[], _events json)
returns table (
  append_no            int,
  current_revision     bigint,
  accepted             boolean,
  last_revision        bigint,
  last_position        bigint,
  stored_before        bigint,
  first_stored_before  bigint
)
language plpgsql
-- The plan is kept by the session; one made while the table was small must not scan it when it is large.
set enable_seqscan = off
as $$
begin
  insert into event_store.streams (stream, revision) select name, -1 from unnest(_streams) as name
    on conflict do nothing;
  -- Locked in a statement of its own: the next one then sees all that earlier holders committed.
  perform 1 from event_store.streams s where s.stream = any (_streams) order by s.stream for update;

  return query
  with incoming as materialized (
    select e.append_no, e.stream collate "C" as stream, e.expected, e.ord, e.id, e.type, e.data, e.metadata
    from json_to_recordset(_events) as e (
      append_no int, stream text, expected bigint, ord int, id uuid, type text, data json, metadata json)
  ),
  stored as materialized (
    select i.append_no, count(*) as events, min(s.revision) as first_revision, max(s.revision) as last_revision,
           max(s.position) as last_position
    from incoming i join event_store.events s on s.event_id = i.id and s.stream = i.stream
    group by i.append_no
  ),
  appends as materialized (
    select a.append_no, r.revision as current, stored.append_no is null and a.expected in (-2, r.revision) as accepted
    from (select distinct i.append_no, i.stream, i.expected from incoming i) a
    join event_store.streams r on r.stream = a.stream
    left join stored on stored.append_no = a.append_no
  ),
  numbered as materialized (
    select i.*, a.current + row_number() over (partition by i.stream order by i.ord) as revision,
           row_number() over (order by i.ord) as nth
    from incoming i join appends a on a.append_no = i.append_no
    where a.accepted
  ),
  moved as (
    update event_store.streams s set revision = n.revision
    from (select stream, max(revision) as revision from numbered group by stream) n
    where s.stream = n.stream
  ),
  taken as (
    update event_store.counter c set position = c.position + n.events
    from (select count(*) as events from numbered) n
    where n.events > 0
    returning c.position - n.events as base
  ),
  written as (
    insert into event_store.events (position, stream, revision, event_id, type, data, metadata, recorded_at)
    select taken.base + n.nth, n.stream, n.revision, n.id, n.type, n.data, n.metadata, clock_timestamp()
    from numbered n cross join taken
  )
  select a.append_no, a.current, a.accepted,
         coalesce(n.last_revision, stored.last_revision),
         coalesce(n.last_position, stored.last_position),
         coalesce(stored.events, 0), stored.first_revision
  from appends a
  left join stored on stored.append_no = a.append_no
  left join (
    select numbered.append_no, max(revision) as last_revision, max(taken.base + nth) as last_position
    from numbered cross join taken group by numbered.append_no
  ) n on n.append_no = a.append_no;

  perform pg_notify('event_store', '');
end
$$;
