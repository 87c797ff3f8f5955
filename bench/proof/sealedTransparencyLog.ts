import { setTimeout as delay } from 'node:timers/promises'
import type { Installation } from '../../capabilities/installation.ts'
import type { SigningKeys } from '../../capabilities/transparency/signingKeys.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { signingKey } from '../../platform/secrets/noteKeys.ts'
import { startSealer } from '../../services/reactor/sealer/sealer.ts'

const LOOK_EVERY_MS = 20
/** The log is deleted with the benchmark. */
const SEED = Buffer.alloc(32, 7)
export const BENCH_SIGNING_KEYS: SigningKeys = { origin: 'bench.example', of: (origin) => [signingKey(origin, SEED)] }
export const VKEY = signingKey(BENCH_SIGNING_KEYS.origin, SEED).vkey

const { log } = openLog({ level: 'silent', file: null })

type Sealed = { readonly entries: number; readonly signed: boolean }

export type SealingOptions = {
  /** Those of the benchmark by default. */
  readonly keys?: SigningKeys
  /** Called from time to time with the size of the log; sealing ends early if it returns false. */
  readonly goesOn?: (size: number) => boolean
}

/** Runs the sealer until the log has this many entries, and is signed if required. Returns whether that was reached. */
export async function sealUntil(
  engines: Installation,
  { entries, signed }: Sealed,
  { keys = BENCH_SIGNING_KEYS, goesOn = () => true }: SealingOptions = {},
): Promise<boolean> {
  const metrics = createMetrics()
  const config = readConfig({})
  const sealer = startSealer({ config, engines, keys, clock: systemClock, ids: systemIds, log, metrics })
  try {
    for (;;) {
      const sizes = await sizesOf(engines)
      if (sizes.size >= entries && (!signed || sizes.signed >= entries)) return true
      if (!goesOn(sizes.size)) return false
      await delay(LOOK_EVERY_MS)
    }
  } finally {
    await sealer.drain(10_000)
  }
}

async function sizesOf({ database }: Installation): Promise<{ readonly size: number; readonly signed: number }> {
  const [row] = await database.query<{ size: string; signed: string | null; fault: string | null }>(
    'select size, fault, (select max(size) from ledger_log.checkpoints) as signed from ledger_log.progress',
  )
  if (row?.fault) throw new Error(row.fault)
  return { size: Number(row?.size), signed: Number(row?.signed ?? 0) }
}

/** As before the first start of a sealer. */
export async function forgetTransparencyLog({ database }: Installation): Promise<void> {
  await database.query('truncate ledger_log.entries, ledger_log.tiles, ledger_log.checkpoints')
  await database.query("update ledger_log.progress set position = '', size = 0, epoch = 0")
}
