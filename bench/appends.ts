import { randomUUID } from 'node:crypto'
import type { Installation } from '../capabilities/installation.ts'
import { aCharge } from './benchDatabase.ts'
import { type Figure, median, ratioFigure } from './figure.ts'

const CALLERS = [1, 20, 200]
const ROUNDS = 5
const ROUND_MS = 1_500
/** Only this number of callers has a bound: with few callers, the cost of a commit dominates. */
const RATIO_MIN_AT_200 = 0.5

/** Measures appends per second against bare inserts of as many rows per transaction into an equal table. */
export async function benchAppends(engines: Installation): Promise<Figure[]> {
  await engines.database.query('create schema bench')
  await engines.database.query('create table bench.events (like event_store.events including all)')
  const figures: Figure[] = []
  for (const callers of CALLERS) {
    const ours: number[] = []
    const bare: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await bareInserts(engines, callers))
      ours.push(await appends(engines, callers))
    }
    const ratioMin = callers === 200 ? RATIO_MIN_AT_200 : undefined
    figures.push(ratioFigure(`appends, ${callers} callers`, 'events/s', median(ours), median(bare), ratioMin))
  }
  return figures
}

async function appends({ store }: Installation, callers: number): Promise<number> {
  const company = randomUUID()
  const key = randomUUID()
  return rate(async (count) => {
    const caller = async () => {
      while (count.goesOn()) {
        await store.append(`ledger-${company}`, 'any', [aCharge(company, key, 0)])
        count.add(1)
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
  })
}

/** One statement per transaction, without looking up a stream, revision or id. */
const BARE_INSERT = `
  insert into bench.events (position, stream_no, revision, event_id, recorded_at, stream, type, data, metadata)
  select $1::bigint + e.ord, 1, $2::bigint + e.ord, e.id, now(), $3, e.type, e.data::json, e.metadata::json
  from unnest($4::uuid[], string_to_array($5, E'\\x1e'), string_to_array($6, E'\\x1e'), string_to_array($7, E'\\x1e'))
    with ordinality as e (id, type, data, metadata, ord)`

async function bareInserts({ database }: Installation, rowsPerInsert: number): Promise<number> {
  const company = randomUUID()
  const key = randomUUID()
  const stream = `ledger-${company}`
  const [last] = await database.query<{ last: string }>('select coalesce(max(position), 0) as last from bench.events')
  let position = Number(last?.last)
  const joined = (texts: readonly string[]) => texts.join('\x1e')
  return rate(async (count) => {
    while (count.goesOn()) {
      const events = Array.from({ length: rowsPerInsert }, () => aCharge(company, key, 0))
      await database.query(BARE_INSERT, [
        position,
        position,
        stream,
        `{${events.map(({ id }) => id).join(',')}}`,
        joined(events.map(({ type }) => type)),
        joined(events.map(({ data }) => JSON.stringify(data))),
        joined(events.map(({ metadata }) => JSON.stringify(metadata))),
      ])
      position += rowsPerInsert
      count.add(rowsPerInsert)
    }
  })
}

type Count = { goesOn(): boolean; add(events: number): void }

async function rate(work: (count: Count) => Promise<void>): Promise<number> {
  const began = performance.now()
  let events = 0
  await work({
    goesOn: () => performance.now() - began < ROUND_MS,
    add: (more) => {
      events += more
    },
  })
  return events / ((performance.now() - began) / 1000)
}
