-- append_batch of migration 0001 with a deadline, by the clock of this server. A client that gives up on a batch cannot
-- withdraw it: it may wait for the counter, or in the socket of a stopped server, and would be stored long after its
-- caller was told that it failed. It is therefore checked once the counter is locked, after which nothing waits any more.
-- A batch that is late stores nothing and fails with SQLSTATE TG001.
create function event_store.append_batch(
  _streams text[], _counts int[], _expected bigint[],
  _append_nos int[], _stream_ixs int[], _nths int[], _ids uuid[], _types text, _data text, _metadata text,
  _deadline timestamptz
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
  perform pg_notify('event_store', (_base + cardinality(_ids))::text);
  return json_build_object('position', _base, 'revisions', _revisions, 'recorded_at', _now);
end
$$;

-- A gateway of an earlier version may still run, and sends no deadline.
create or replace function event_store.append_batch(
  _streams text[], _counts int[], _expected bigint[],
  _append_nos int[], _stream_ixs int[], _nths int[], _ids uuid[], _types text, _data text, _metadata text
) returns json
language plpgsql
as $$
begin
  return event_store.append_batch(_streams, _counts, _expected, _append_nos, _stream_ixs, _nths, _ids, _types, _data,
    _metadata, 'infinity'::timestamptz);
end
$$;
