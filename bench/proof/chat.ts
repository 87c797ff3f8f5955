import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../platform/postgres/database.ts'
import type { Pace } from '../benchCommand.ts'
import { type BenchFolder, withBenchFolder } from '../feed/benchFolder.ts'
import { type Figure, pairedFigure } from '../figure.ts'
import { freePorts } from '../freePorts.ts'
import { startHelper } from '../gateway/benchProcess.ts'
import { fullLoad, requireCharges } from '../gateway/contestants.ts'
import { startTollgate, type Tollgate } from '../gateway/tollgate.ts'

const CONNECTIONS = 32
const RATIO_MIN = 0.92
/** Short rounds, so that a slow spell of the machine affects both sides of a round. */
const ROUNDS = 15
const FIRST_WARM_UP_MS = 8_000
/** Longer than the sealer batches events, so that it seals as many entries as are added while calls are counted. */
const WARM_UP_MS = 1_500
const MEASURE_MS = 4_000
const SHORT_MEASURE_MS = 2_000
const LOOK_EVERY_MS = 100
const UNSEALED = `select (select count(*) from event_store.events where stream like 'ledger-%')
  - (select size from ledger_log.progress) as events`

/** Chat calls per second of two installations in turn, one with a sealer and one without. */
export function benchSealedChat({ isShort }: Pace): Promise<Figure[]> {
  return withBenchFolder(async (folder) => {
    const [port] = await freePorts(1)
    await startHelper(folder, 'chatUpstream.ts', String(port))
    const generator = await startHelper(folder, 'loadGenerator.ts')
    const upstream = `http://127.0.0.1:${port}`
    const [bare, sealed] = [await start(folder, 'bare', upstream), await start(folder, 'sealed', upstream)]
    await startHelper(folder, 'sealer.ts', sealed.databaseUrl)
    const rates = new Map<Tollgate, number[]>([
      [bare, []],
      [sealed, []],
    ])
    const calls = new Map<Tollgate, number>()
    const measure = async (tollgate: Tollgate, warmUpMs: number, keep: boolean) => {
      const measureMs = isShort ? SHORT_MEASURE_MS : MEASURE_MS
      const round = await fullLoad(generator, tollgate, { connections: CONNECTIONS, warmUpMs, measureMs })
      calls.set(tollgate, (calls.get(tollgate) ?? 0) + round.calls)
      // Sealing the backlog of one installation must not slow down the other.
      if (tollgate === sealed) await allSealed(sealed)
      if (keep) rates.get(tollgate)?.push(round.callsPerSecond)
    }
    for (const tollgate of [bare, sealed]) await measure(tollgate, isShort ? WARM_UP_MS : FIRST_WARM_UP_MS, false)
    const count = isShort ? 2 : ROUNDS
    for (let round = 1; round <= count; round++) {
      process.stderr.write(`  round ${round} of ${count}\n`)
      for (const tollgate of round % 2 === 0 ? [bare, sealed] : [sealed, bare])
        await measure(tollgate, WARM_UP_MS, true)
    }
    for (const tollgate of [bare, sealed]) await requireCharges(tollgate, calls.get(tollgate) ?? 0)
    const name = `chat calls with the sealer, to those without it, ${CONNECTIONS} connections`
    return [
      pairedFigure(name, 'calls/s', rates.get(sealed) ?? [], rates.get(bare) ?? [], isShort ? undefined : RATIO_MIN),
    ]
  })
}

async function start({ path, closers }: BenchFolder, name: string, upstream: string): Promise<Tollgate> {
  await mkdir(join(path, name))
  return startTollgate({ path: join(path, name), closers }, upstream, { name })
}

async function allSealed({ databaseUrl }: Tollgate): Promise<void> {
  const database = openDatabase({ url: databaseUrl, connectionsMax: 1 })
  try {
    while (Number((await database.query<{ events: string }>(UNSEALED))[0]?.events) > 0) await delay(LOOK_EVERY_MS)
  } finally {
    await database.close()
  }
}
