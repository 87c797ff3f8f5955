create schema event_store;

-- The last revision of each stream; -1 while its first append is under way. The indexes on events hold stream_no instead
-- of the name: three times as many entries fit on a page, and comparing them is cheap.
create table event_store.streams (
  stream_no bigint generated always as identity primary key,
  stream    text collate "C" not null unique,
  revision  bigint not null
) with (fillfactor = 50);

create table event_store.events (
  position    bigint primary key,
  stream_no   bigint not null,
  revision    bigint not null,
  event_id    uuid not null,
  recorded_at timestamptz not null,
  stream      text collate "C" not null,
  type        text not null,
  data        json not null,
  metadata    json not null,
  unique (stream_no, revision),
  unique (event_id, stream_no)
);

-- One row. Every append locks it first and keeps the lock until commit, so appends run one after the other. Therefore
-- the order of positions is the order of commits, positions have no gaps, a reader that has seen position P has seen
-- everything before it, nothing that an append reads can change under it, and appends cannot deadlock.
create table event_store.counter (
  only_row boolean primary key default true check (only_row),
  position bigint not null
) with (fillfactor = 10);
insert into event_store.counter (position) values (0);

-- Stores many appends in one transaction; each of them succeeds or fails alone. Listeners on event_store are notified of
-- the last position of every commit.
--
-- For each stream that is appended to, without duplicates:
--   _streams     its name
--   _counts      how many events it gets
--   _expected    the revision that it must have: -2 any, -1 none
-- For each event, in the order of the appends:
--   _append_nos  its append, counting from 0
--   _stream_ixs  the index of its stream in _streams, counting from 1
--   _nths        its number among the events that the stream gets, counting from 1
--   _ids
--   _types, _data, _metadata   joined by U+001E, which JSON never contains unescaped
--
-- The caller ensures that a stream with an expected revision occurs in one append only, and an event id once. Almost
-- always every expected revision matches and no id is stored yet; then one insert stores all events, and the result is
--   {"position": the last one before, "revisions": [the last one before, for each stream], "recorded_at"}.
-- Otherwise each append is decided separately:
--   {"outcomes": [{append_no, accepted, current, revision, position, stored, first_stored}]}.
create function event_store.append_batch(
  _streams text[], _counts int[], _expected bigint[],
  _append_nos int[], _stream_ixs int[], _nths int[], _ids uuid[], _types text, _data text, _metadata text
) returns json
language plpgsql
as $$
declare
  _separator constant text := E'\x1e';
  _numbers bigint[];
  _revisions bigint[];
  _fits boolean;
  _base bigint;
  _now timestamptz;
begin
  update event_store.counter c set position = c.position + cardinality(_ids)
    returning c.position - cardinality(_ids) into _base;

  loop
    select array_agg(s.stream_no order by n.ix), array_agg(s.revision order by n.ix), bool_and(n.expected in (-2, s.revision))
      into _numbers, _revisions, _fits
      from unnest(_streams, _expected) with ordinality as n (stream, expected, ix)
      join event_store.streams s on s.stream = n.stream;
    exit when cardinality(_numbers) = cardinality(_streams);
    insert into event_store.streams (stream, revision)
      select n.stream, -1 from unnest(_streams) as n (stream)
      where not exists (select from event_store.streams s where s.stream = n.stream);
  end loop;

  if not _fits or exists (select 1 from event_store.events e where e.event_id = any (_ids)) then
    update event_store.counter c set position = _base;
    return event_store.append_one_by_one(_numbers, _streams, _expected, _append_nos, _stream_ixs, _ids,
      string_to_array(_types, _separator), string_to_array(_data, _separator), string_to_array(_metadata, _separator));
  end if;

  _now := clock_timestamp();
  with lengthened as (
    update event_store.streams s set revision = s.revision + n.events
    from unnest(_numbers, _counts) as n (stream_no, events) where s.stream_no = n.stream_no
  )
  insert into event_store.events (position, stream_no, revision, event_id, recorded_at, stream, type, data, metadata)
    select _base + e.ord, _numbers[e.ix], _revisions[e.ix] + e.nth, e.id, _now, _streams[e.ix],
           e.type, e.data::json, e.metadata::json
    from unnest(_stream_ixs, _nths, _ids, string_to_array(_types, _separator), string_to_array(_data, _separator),
                string_to_array(_metadata, _separator))
      with ordinality as e (ix, nth, id, type, data, metadata, ord);
  perform pg_notify('event_store', (_base + cardinality(_ids))::text);
  return json_build_object('position', _base, 'revisions', _revisions, 'recorded_at', _now);
end
$$;

-- Decides the appends one by one, while append_batch holds the lock on the counter.
create function event_store.append_one_by_one(
  _numbers bigint[], _streams text[], _expected bigint[],
  _append_nos int[], _stream_ixs int[], _ids uuid[], _types text[], _data text[], _metadata text[]
) returns json
language plpgsql
as $$
declare
  _append record;
  _number bigint;
  _current bigint;
  _stored record;
  _position bigint;
  _outcomes json[] := '{}';
begin
  for _append in
    select e.append_no, min(e.ix) as ix, count(*) as events, array_agg(e.id) as ids
    from unnest(_append_nos, _stream_ixs, _ids) as e (append_no, ix, id)
    group by e.append_no order by e.append_no
  loop
    _number := _numbers[_append.ix];
    select s.revision into _current from event_store.streams s where s.stream_no = _number;
    select count(*) as events, min(e.revision) as first_revision, max(e.revision) as last_revision,
           max(e.position) as last_position
      into _stored
      from event_store.events e where e.stream_no = _number and e.event_id = any (_append.ids);

    if _stored.events = 0 and _expected[_append.ix] in (-2, _current) then
      update event_store.streams s set revision = s.revision + _append.events where s.stream_no = _number;
      update event_store.counter c set position = c.position + _append.events returning c.position into _position;
      insert into event_store.events (position, stream_no, revision, event_id, recorded_at, stream, type, data, metadata)
        select _position - _append.events + row_number() over (order by e.ord), _number,
               _current + row_number() over (order by e.ord), e.id, clock_timestamp(), _streams[_append.ix],
               e.type, e.data::json, e.metadata::json
        from unnest(_append_nos, _ids, _types, _data, _metadata)
          with ordinality as e (append_no, id, type, data, metadata, ord)
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
