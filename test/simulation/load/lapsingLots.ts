import type { Runtime } from '../../../capabilities/installation.ts'
import { streamName } from '../../../contracts/streams.ts'
import { companyDecider } from '../../../domain/company/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import type { Random } from '../scheduler/random.ts'
import type { Simulation } from '../simulation.ts'

const LOTS = 8
const CREDITS = { min: 1, max: 12 }
/** The expiry of some is recorded before the load, of most during it, and of some after it. */
const LASTS_MS = { min: 1_000, max: 80_000 }
const ROLLOVER_SHARE = 0.4
const DAY_MS = 86_400_000
const MICROS = 1_000_000
const ACTOR = { kind: 'system', name: 'operator' } as const

/** A company whose credits expire one after the other, and when its first calls were made. */
export type LapsingCompany = { readonly companyId: string; readonly grantedMs: number; readonly lastsMs: number }

/** Registers a company with lots that differ in priority and expiry. Nothing else runs yet, and nothing fails. */
export async function grantLapsingLots(simulation: Simulation, runtime: Runtime): Promise<LapsingCompany> {
  const random = simulation.random('lapsing lots')
  const { engines, clock } = runtime
  const companyId = systemIds.uuid()
  const grantedMs = clock.now()
  const at = isoTime(grantedMs)
  const context = { commandId: systemIds.uuid(), correlationId: companyId, actor: ACTOR }
  const registered = { companyId, name: 'Lapsing', billingMode: 'PREPAID', planId: null, at } as const
  await engines.commands.handle(
    companyDecider,
    streamName('company', companyId),
    { type: 'RegisterCompany', ...registered },
    context,
  )
  for (let left = LOTS; left > 0; left -= 1) {
    const amountMicros = BigInt(Math.floor(random.between(CREDITS.min, CREDITS.max) * MICROS))
    const source = random.chance(0.3) ? 'PROMOTION' : 'ADJUSTMENT'
    const grant = { companyId, grantId: systemIds.uuid(), source, amountMicros, reason: 'simulated' } as const
    const lot = termsOf(random, grantedMs, source === 'PROMOTION' ? 1 : 0)
    const draft = engines.ledger.draft({ type: 'GrantCredits', ...grant, lot, at })
    await engines.ledger.book(draft, grant.grantId, ACTOR)
  }
  return { companyId, grantedMs, lastsMs: LASTS_MS.max }
}

function termsOf(random: Random, nowMs: number, least: number) {
  const expiresAt = isoTime(Math.floor(nowMs + random.between(LASTS_MS.min, LASTS_MS.max)))
  const rollover = { share: String(random.below(MICROS)), expiresAt: isoTime(nowMs + DAY_MS + random.below(DAY_MS)) }
  return { priority: least + random.below(2), expiresAt, rollover: random.chance(ROLLOVER_SHARE) ? rollover : null }
}
