import '../support/engines/runOnProduction.ts'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { auditCompany } from '../../scripts/audit/compare.ts'
import { type EventStoreServer, ownEventStoreServer } from '../support/eventStores/eventStoreServer.ts'
import { callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { PATIENCE } from '../support/time/patience.ts'
import { until } from '../support/time/until.ts'

const CALLERS = 8
const ROUNDS = 2
const CALLS_BEFORE_FAULT = 25
/** Callers that are refused come again after this time. */
const AGAIN_MS = 50
const REFUSED_MS_MAX = 60_000
const PROBE_MS = 1_000
const SETTLED_MS_MAX = 60_000
/** It takes less than a second on a machine that does nothing else; the time is printed. */
const SERVED_MS_MAX = 15_000 * PATIENCE

let server: EventStoreServer | undefined
let gateway: GatewayHarness
beforeEach(async (context) => {
  if (server) return
  server = await ownEventStoreServer(context)
  const { url } = server
  gateway = await startGatewayHarness({ through: () => url })
})
afterAll(async () => {
  await gateway?.close()
  await server?.stop()
})

type Outcome = { readonly callId: string; readonly status: number; readonly sentAt: number; readonly endedAt: number }

/** Callers that send one call after the other. */
class Callers {
  readonly outcomes: Outcome[] = []
  #isStopped = false
  readonly #running = Promise.all(Array.from({ length: CALLERS }, () => this.#call()))

  get whole(): number {
    return this.outcomes.filter(({ status }) => status === 200).length
  }

  refusedSince(time: number): boolean {
    return this.outcomes.some(({ status, sentAt }) => status === 503 && sentAt >= time)
  }

  /** When the first whole answer after this time arrived; undefined if there is none yet. */
  servedAfter(time: number): number | undefined {
    return this.outcomes.find(({ status, endedAt }) => status === 200 && endedAt >= time)?.endedAt
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #call(): Promise<void> {
    while (!this.#isStopped) {
      const sentAt = performance.now()
      const answer = await gateway.chat(chatBody())
      this.outcomes.push({ callId: callIdOf(answer), status: answer.status, sentAt, endedAt: performance.now() })
      if (answer.status !== 200) await systemClock.delay(AGAIN_MS)
    }
  }
}

async function isSettled(): Promise<boolean> {
  const files = await readdir(join(gateway.runtime.config.DATA_DIR, 'unsettled')).catch(() => [])
  return files.length === 0
}

type Fault = { begin(server: EventStoreServer): Promise<void>; end(server: EventStoreServer): Promise<void> }

const KILL: Fault = { begin: (store) => store.kill(), end: (store) => store.start() }
const FREEZE: Fault = { begin: async (store) => store.freeze(), end: async (store) => store.thaw() }

/** A server that starts answers for a while before it stores anything. Another client than ours tells when it does. */
async function storesAgain({ url }: EventStoreServer): Promise<void> {
  const isStored = async () => {
    const client = EventStoreDBClient.connectionString(url)
    try {
      const event = jsonEvent({ type: 'Probed', data: {} })
      await client.appendToStream('others-probe', event, { deadline: PROBE_MS })
      return true
    } catch {
      return false
    } finally {
      await client.dispose()
    }
  }
  await until('another client can append', isStored, REFUSED_MS_MAX)
}

test.each([
  ['is killed and started again', KILL],
  ['freezes and goes on', FREEZE],
])('while the server %s under load, every call is charged once or costs nothing', async (name, fault) => {
  const store = server as EventStoreServer
  const callers = new Callers()
  const servedMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = callers.whole
    await until('calls are served', () => callers.whole >= before + CALLS_BEFORE_FAULT)
    const beganAt = performance.now()
    await fault.begin(store)
    await until('a call is refused', () => callers.refusedSince(beganAt), REFUSED_MS_MAX)
    await fault.end(store)
    await storesAgain(store)
    const servesAt = performance.now()
    servedMs.push((await until('a call is served', () => callers.servedAfter(servesAt), REFUSED_MS_MAX)) - servesAt)
  }
  await callers.stop()
  process.stdout.write(
    `the server ${name}: ${callers.outcomes.length} calls, ${callers.whole} served; ` +
      `the first one ${servedMs.map(Math.round).join(', ')} ms after it served again\n`,
  )
  await until('the calls without a certain charge are settled', isSettled, SETTLED_MS_MAX)
  const ledger = await gateway.ledgerOf(gateway.companyId)
  expect(faultsOf(callers.outcomes, ledger)).toEqual([])
  const end = ledger.at(-1)?.position ?? BEGINNING
  const audit = await until(
    'the balance has caught up with the ledger',
    async () => {
      const audited = await auditCompany(gateway.runtime.engines, gateway.companyId, null)
      return audited.replay.position >= end ? audited : undefined
    },
    SETTLED_MS_MAX,
  )
  expect(audit).toMatchObject({ firstDifference: null, foreignEvents: [] })
  expect(Math.max(...servedMs)).toBeLessThan(SERVED_MS_MAX)
})

/** Each call that was not booked as its caller was answered. */
function faultsOf(outcomes: readonly Outcome[], ledger: readonly LedgerEvent[]): string[] {
  const bookings = new Map<string, string[]>()
  for (const { type, data } of ledger) {
    if (!('callId' in data)) continue
    bookings.set(data.callId, [...(bookings.get(data.callId) ?? []), type])
  }
  return outcomes.flatMap(({ callId, status }) => {
    const booked = (bookings.get(callId) ?? []).join(', ')
    const allowed = status === 200 ? ['CallCharged'] : ['', 'CallFailed', 'CallCharged, ChargeReversed']
    return allowed.includes(booked) ? [] : [`call ${callId} was answered with ${status} and booked as: ${booked}`]
  })
}
