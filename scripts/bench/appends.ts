import { randomUUID } from 'node:crypto'
import type { NewEvent } from '../../contracts/envelope.ts'
import type { Engines } from '../../services/platform/engines.ts'
import { aCharge } from './benchDatabase.ts'
import { type Figure, median, ratioFigure } from './figure.ts'

const CALLERS = [1, 20, 200]
const ROUNDS = 5
const ROUND_MS = 1_500
/** The only bound: with few callers there is little to gather, and a commit costs what it costs. */
const RATIO_MIN_AT_200 = 0.5

/** Appends a second, against bare inserts of as many rows a transaction into a table of the same columns and indexes. */
export async function benchAppends(engines: Engines): Promise<Figure[]> {
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

async function appends({ store }: Engines, callers: number): Promise<number> {
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

async function bareInserts({ database }: Engines, rowsPerInsert: number): Promise<number> {
  const company = randomUUID()
  const key = randomUUID()
  const stream = `ledger-${company}`
  const [last] = await database.query<{ last: string }>('select coalesce(max(position), 0) as last from bench.events')
  let position = Number(last?.last)
  let revision = 0
  return rate(async (count) => {
    while (count.goesOn()) {
      const rows = Array.from({ length: rowsPerInsert }, () =>
        row(aCharge(company, key, 0), stream, ++position, ++revision),
      )
      await database.query(
        'insert into bench.events select * from json_populate_recordset(null::bench.events, $1::json)',
        [JSON.stringify(rows)],
      )
      count.add(rowsPerInsert)
    }
  })
}

function row({ id, type, data, metadata }: NewEvent, stream: string, position: number, revision: number) {
  return { position, stream, revision, event_id: id, type, data, metadata, recorded_at: '2026-01-01T00:00:00.000Z' }
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
