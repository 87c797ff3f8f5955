-- The roots of each 16 hashes of a full tile, one after the other: receipts are proven with them, without reading the tile. Null in a tile that
-- is not full, and in those that an earlier version writes beside this one.
alter table ledger_log.tiles add column groups bytea;

-- The Merkle tree of RFC 6962, four levels of it.
create function ledger_log.group_roots(_hashes bytea) returns bytea
language plpgsql
as $$
declare
  _level bytea := _hashes;
begin
  for _height in 1..4 loop
    _level := (select string_agg(sha256('\x01' || substring(_level from _at for 64)), '' order by _at)
               from generate_series(1, octet_length(_level), 64) as _at);
  end loop;
  return _level;
end
$$;
update ledger_log.tiles set groups = ledger_log.group_roots(hashes) where octet_length(hashes) = 256 * 32;
drop function ledger_log.group_roots;
