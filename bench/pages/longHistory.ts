import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { OpenRuntime } from '../../capabilities/installation.ts'
import { readConsumerLags } from '../../capabilities/readModels/consumerLags.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { progressBar } from '../../scripts/cli/progressBar.ts'
import type { DemoUsers } from '../../scripts/start/demoUsers.ts'
import { startProjector } from '../../services/projector/projector.ts'
import { aCharge } from '../benchDatabase.ts'
import { appendCalls } from '../longLedger.ts'
import { sealUntil } from '../proof/sealedTransparencyLog.ts'
import type { PageFacts } from './pageOperations.ts'

const DAYS = 90
const DAY_MS = 86_400_000
const LABELS = ['search', 'interviews', 'support', 'indexing', 'reports', null]
/** How many are appended before the progress is saved. */
const CALLS_AT_ONCE = 50_000
const LOOK_EVERY_MS = 500
const DRAIN_MS_MAX = 30_000

/** What earlier runs have done, so that an interrupted run continues from there. */
type Done = {
  readonly beginMs: number
  readonly calls: number
  /** The call in the middle and the last one. */
  readonly callIds: readonly string[]
  readonly isProjected: boolean
  readonly isSealed: boolean
}

export type Filling = { readonly calls: number; readonly doneFile: string }

/**
 * Fills the ledger of the demo company with calls of ninety days. They are events appended by our own store, with times
 * that a restore would keep; the read models are built by our own projector, and the log by our own sealer. Calls of an
 * interrupted run may be appended twice, which adds a few.
 */
export async function fill(
  runtime: OpenRuntime,
  { companyId, keyId }: DemoUsers,
  { calls, doneFile }: Filling,
): Promise<PageFacts> {
  const { engines } = runtime
  let done = await readDone(doneFile)
  const note = async (change: Partial<Done>) => {
    done = { ...done, ...change }
    await writeFile(`${doneFile}.new`, JSON.stringify(done))
    await rename(`${doneFile}.new`, doneFile)
  }
  const { beginMs } = done
  while (done.calls < calls) {
    const first = done.calls
    process.stderr.write(`  appending calls from ${first.toLocaleString('en')} on\n`)
    const callIds = [...done.callIds]
    const count = Math.min(CALLS_AT_ONCE, calls - first)
    await appendCalls(engines.store, companyId, count, (offset) => {
      const n = first + offset
      const at = new Date(beginMs + Math.floor((n / calls) * DAYS * DAY_MS)).toISOString()
      const event = aCharge(companyId, keyId, n, { at, label: LABELS[n % LABELS.length] ?? null })
      // The event that ends a call has the id of the call.
      if (n === Math.floor(calls / 2) || n === calls - 1) callIds.push(event.id)
      return event
    })
    await note({ calls: first + count, callIds })
  }
  if (!done.isProjected) {
    await project(runtime)
    await note({ isProjected: true })
  }
  if (!done.isSealed) {
    process.stderr.write('  sealing\n')
    await sealUntil(engines, { entries: calls, signed: true })
    await engines.database.query('vacuum analyze')
    await note({ isSealed: true })
  }
  const [callId = '', lastEntryId = ''] = done.callIds
  return { companyId, callId, lastEntryId }
}

/**
 * Runs the projector until every read model is current. It reads each page of events once for all models, and an
 * interrupted run continues at its checkpoints.
 */
async function project(runtime: OpenRuntime): Promise<void> {
  const { database, store } = runtime.engines
  const all = await store.eventsAfter(BEGINNING)
  const bar = progressBar('projecting', all)
  const projector = await startProjector(runtime)
  try {
    for (;;) {
      const { projections } = await readConsumerLags({ database, store, usesKafka: false })
      const behind = Math.max(...projections.map(({ lagEvents }) => lagEvents ?? all))
      bar.update(all - behind)
      if (behind === 0) return
      await delay(LOOK_EVERY_MS)
    }
  } finally {
    bar.end()
    await projector.drain(DRAIN_MS_MAX)
  }
}

async function readDone(file: string): Promise<Done> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text !== null) return JSON.parse(text) as Done
  return { beginMs: systemClock.now() - DAYS * DAY_MS, calls: 0, callIds: [], isProjected: false, isSealed: false }
}
