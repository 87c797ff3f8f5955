import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Installation } from '../capabilities/installation.ts'
import { openInstallation } from '../capabilities/installation.ts'
import type { NewEvent } from '../contracts/envelope.ts'
import { systemClock } from '../platform/clock/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { newEvent } from '../platform/eventStore/eventCodec.ts'
import { systemIds } from '../platform/ids/ids.ts'
import { openLog } from '../platform/logger/logger.ts'
import { startEmbeddedPostgres } from '../platform/postgres/embedded/embeddedPostgres.ts'

/** Opens an empty installation, as durable as a real one, and deletes it afterwards. */
export async function withBenchEngines<Result>(work: (engines: Installation) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    const { log } = openLog({ level: 'silent', file: null })
    const engines = await openInstallation(readConfig({ DATA_DIR: dataDir }), postgres.url, {
      clock: systemClock,
      ids: systemIds,
      log,
    })
    try {
      return await work(engines)
    } finally {
      await engines.close()
    }
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const BOOK = randomUUID()
const ALIASES = ['svc/chat-premium', 'svc/chat-default', 'svc/chat-cheap']

/** When it happened and was stored, for a ledger of the past. */
type ChargeOptions = {
  readonly at: string
  readonly label: string | null
  /** As the gateway gives one, by default. */
  readonly callId?: string
}

/** A charge as the gateway writes it: the most frequent event. */
export function aCharge(companyId: string, keyId: string, n: number, options?: ChargeOptions): NewEvent {
  const at = options?.at ?? new Date(Date.UTC(2026, 0, 1) + n * 20).toISOString()
  const data = {
    companyId,
    callId: options?.callId ?? systemIds.timeOrderedUuid(),
    keyId,
    alias: ALIASES[n % ALIASES.length],
    endpoint: '/chat/completions',
    streamed: n % 2 === 0,
    admittedAt: at,
    finishedAt: at,
    label: options?.label ?? null,
    provider: 'bench',
    costMicros: '420',
    costCurrency: 'usd',
    tokensCached: null,
    tokensCacheWrite: null,
    tokensIn: 120,
    tokensOut: 300,
    amountMicros: '510',
    price: { bookId: BOOK, rates: { input: '500000', output: '1500000' } },
    lines: [
      { kind: 'input', count: 120, rate: '500000', amountMicros: '60' },
      { kind: 'output', count: 300, rate: '1500000', amountMicros: '450' },
    ],
    serviceTier: null,
    tierFactor: '1000000',
    abandoned: false,
  }
  const actor = { kind: 'apiKey', id: keyId } as const
  return newEvent(
    data.callId,
    { type: 'CallCharged', data },
    { correlationId: data.callId, causationId: data.callId, actor, ...(options && { recordedAt: at }) },
  )
}
