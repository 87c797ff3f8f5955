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

-- Who listens on event_store is told the last position of every commit.
--
-- Stores many appends in one transaction, each of which succeeds or fails alone.
--
--   _streams   the streams concerned, sorted and distinct: locking them in that order rules out deadlocks
--   _counts    how many events go to each of them
--   _expected  the revision that each must have: -2 any, -1 none
--   _ids       of all events
--   _events    [{append_no, stream, nth, ord, id, type, data, metadata}], nth counting from 1 within the stream,
--              ord from 1 within the batch
--
-- The caller sees to it that a stream with an expected revision occurs in one append only, and an id once. Almost always
-- all appends fit and no id is stored yet; then one insert stores them, and the answer is
--   {"position": the last one before, "revisions": [the last one before, for each stream], "recorded_at"}.
-- Otherwise each append is looked at by itself:
--   {"outcomes": [{append_no, accepted, current, revision, position, stored, first_stored}]}.
create function event_store.append_batch(
  _streams text[], _counts int[], _expected bigint[], _ids uuid[], _events json
) returns json
language plpgsql
as $$
declare
  _revisions bigint[] := event_store.lock_streams(_streams);
  _base bigint;
  _now timestamptz;
begin
  if array_position(_revisions, null) is not null then
    insert into event_store.streams (stream, revision) select name, -1 from unnest(_streams) as name order by name
      on conflict do nothing;
    _revisions := event_store.lock_streams(_streams);
  end if;

  if exists (select 1 from unnest(_expected, _revisions) as s (expected, revision) where s.expected not in (-2, s.revision))
     or exists (select 1 from event_store.events e where e.event_id = any (_ids)) then
    return event_store.append_one_by_one(_events, _streams, _expected);
  end if;

  update event_store.streams s set revision = s.revision + n.events
    from unnest(_streams, _counts) as n (stream, events) where s.stream = n.stream;
  update event_store.counter c set position = c.position + cardinality(_ids)
    returning c.position - cardinality(_ids) into _base;
  _now := clock_timestamp();
  insert into event_store.events (position, stream, revision, event_id, type, data, metadata, recorded_at)
    select _base + e.ord, e.stream, before.revision + e.nth, e.id, e.type, e.data, e.metadata, _now
    from json_to_recordset(_events) as e (
           stream text, nth int, ord int, id uuid, type text, data json, metadata json)
    join unnest(_streams, _revisions) as before (stream, revision) on before.stream = e.stream;
  perform pg_notify('event_store', (_base + cardinality(_ids))::text);
  return json_build_object('position', _base, 'revisions', _revisions, 'recorded_at', _now);
end
$$;

-- Locks the streams and answers their revisions in the order of _streams, null for one that has no row yet. A function
-- of its own is a statement of its own: what comes after it sees all that earlier holders of the locks committed.
create function event_store.lock_streams(_streams text[]) returns bigint[]
language plpgsql
as $$
begin
  return (
    select array_agg(l.revision order by n.ord)
    from unnest(_streams) with ordinality as n (stream, ord)
    left join (
      select s.stream, s.revision from event_store.streams s where s.stream = any (_streams) order by s.stream for update
    ) l on l.stream = n.stream
  );
end
$$;

-- The careful way, under the locks of append_batch.
create function event_store.append_one_by_one(_events json, _streams text[], _expected bigint[]) returns json
language plpgsql
as $$
declare
  _append record;
  _current bigint;
  _stored record;
  _position bigint;
  _outcomes json[] := '{}';
begin
  for _append in
    select e.append_no, min(e.stream) as stream, count(*) as events, array_agg(e.id) as ids
    from json_to_recordset(_events) as e (append_no int, stream text, id uuid)
    group by e.append_no order by e.append_no
  loop
    select s.revision into _current from event_store.streams s where s.stream = _append.stream;
    select count(*) as events, min(e.revision) as first_revision, max(e.revision) as last_revision,
           max(e.position) as last_position
      into _stored
      from event_store.events e where e.stream = _append.stream and e.event_id = any (_append.ids);

    if _stored.events = 0 and _expected[array_position(_streams, _append.stream)] in (-2, _current) then
      update event_store.streams s set revision = s.revision + _append.events where s.stream = _append.stream;
      update event_store.counter c set position = c.position + _append.events returning c.position into _position;
      insert into event_store.events (position, stream, revision, event_id, type, data, metadata, recorded_at)
        select _position - _append.events + row_number() over (order by e.ord), e.stream,
               _current + row_number() over (order by e.ord), e.id, e.type, e.data, e.metadata, clock_timestamp()
        from json_to_recordset(_events) as e (
               append_no int, stream text, ord int, id uuid, type text, data json, metadata json)
        where e.append_no = _append.append_no;
      _outcomes := _outcomes || json_build_object('append_no', _append.append_no, 'accepted', true,
        'revision', _current + _append.events, 'position', _position);
    else
      _outcomes := _outcomes || json_build_object('append_no', _append.append_no, 'accepted', false,
        'current', _current, 'stored', _stored.events, 'first_stored', _stored.first_revision,
        'revision', _stored.last_revision, 'position', _stored.last_position);
    end if;
  end loop;
  perform pg_notify('event_store', _position::text) where _position is not null;
  return json_build_object('outcomes', array_to_json(_outcomes));
end
$$;
