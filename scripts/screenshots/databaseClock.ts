import type { Database } from '../../projections/runner/ports.ts'

/** Found before the clock of PostgreSQL, which is late by what the table says. */
const LATE_CLOCK = `
  create schema late_clock;
  create table late_clock.late (late_ms bigint not null);
  insert into late_clock.late values (0);
  create function late_clock.clock_timestamp() returns timestamptz language sql volatile as
    'select pg_catalog.clock_timestamp() - (select late_ms from late_clock.late) * interval ''1 millisecond''';
`
const APPENDS = `select oid::regprocedure::text as signature from pg_proc
  where pronamespace = 'event_store'::regnamespace and proname like 'append%'`

/** Lets the event store of a migrated, unused database record events with a clock that can be made late. */
export async function installLateClock(database: Database): Promise<void> {
  await database.query(LATE_CLOCK)
  for (const { signature } of await database.query<{ signature: string }>(APPENDS)) {
    await database.query(`alter function ${signature} set search_path to late_clock, pg_catalog`)
  }
}

export async function setLateMs(database: Database, lateMs: number): Promise<void> {
  await database.query('update late_clock.late set late_ms = $1', [lateMs])
}
