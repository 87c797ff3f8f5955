-- append_batch of migration 0010, with the notification of listeners as a choice. A notification wakes every listener next
-- to the commit, where its backend and its process compete for the cores with the answer to the caller. A writer that says
-- no notifies by itself, a moment later and once for many commits; after a crash in between, listeners find the events by
-- their poll.
create function event_store.append_batch(
  _streams text[], _counts int[], _expected bigint[],
  _append_nos int[], _stream_ixs int[], _nths int[], _ids uuid[], _types text, _data text, _metadata text,
  _deadline timestamptz, _notifies boolean
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
  _now := clock_timestamp();
  if _now > _deadline then
    raise exception 'the append is late: its deadline was %, and it is %', _deadline, _now using errcode = 'TG001';
  end if;

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
  if _notifies then
    perform pg_notify('event_store', (_base + cardinality(_ids))::text);
  end if;
  return json_build_object('position', _base, 'revisions', _revisions, 'recorded_at', _now);
end
$$;

-- Processes of an earlier version may still run; they expect to notify.
create or replace function event_store.append_batch(
  _streams text[], _counts int[], _expected bigint[],
  _append_nos int[], _stream_ixs int[], _nths int[], _ids uuid[], _types text, _data text, _metadata text,
  _deadline timestamptz
) returns json
language plpgsql
as $$
begin
  return event_store.append_batch(_streams, _counts, _expected, _append_nos, _stream_ixs, _nths, _ids, _types, _data,
    _metadata, _deadline, true);
end
$$;

-- A batch of one append of one event to a stream that exists, which is what a charge is while calls are few: the same
-- result by plain statements, in less time. Whatever does not fit is left to append_batch. Notifies no listener.
create function event_store.append_one(
  _stream text, _expected bigint, _id uuid, _type text, _data text, _metadata text, _deadline timestamptz
) returns json
language plpgsql
as $$
declare
  _number bigint;
  _revision bigint;
  _base bigint;
  _now timestamptz;
begin
  update event_store.counter c set position = c.position + 1 returning c.position - 1 into _base;
  _now := clock_timestamp();
  if _now > _deadline then
    raise exception 'the append is late: its deadline was %, and it is %', _deadline, _now using errcode = 'TG001';
  end if;

  if not exists (select 1 from event_store.events e where e.event_id = _id) then
    update event_store.streams s set revision = s.revision + 1
      where s.stream = _stream and _expected in (-2, s.revision)
      returning s.stream_no, s.revision into _number, _revision;
  end if;
  if _number is null then
    update event_store.counter c set position = _base;
    return event_store.append_batch(array[_stream], array[1], array[_expected], array[0], array[1], array[1], array[_id],
      _type, _data, _metadata, _deadline, false);
  end if;

  insert into event_store.events (position, stream_no, revision, event_id, recorded_at, stream, type, data, metadata)
    values (_base + 1, _number, _revision, _id, _now, _stream, _type, _data::json, _metadata::json);
  return json_build_object('position', _base, 'revisions', array[_revision - 1], 'recorded_at', _now);
end
$$;
