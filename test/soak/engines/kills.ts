import { setTimeout as wait } from 'node:timers/promises'
import type { Position } from '../../../contracts/position.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import { until } from '../../support/time/until.ts'
import { mintKey, revokeKey } from './customers.ts'
import type { Fleet } from './fleet.ts'
import { caughtUp } from './fleetBooks.ts'
import { probeKey, type Refusals } from './revocation.ts'
import type { Load } from './steadyLoad.ts'
import { relayEpoch, type Victim } from './victims.ts'

/** The observations of one kill. Times are from Date.now. */
export type Kill = {
  readonly victim: Victim
  /** Which one of several it was. */
  readonly killed: string
  readonly beganAt: number
  readonly killedAt: number
  readonly backAt: number
  /** When all calls were answered again; null: not within the limit. */
  readonly recoveredAt: number | null
  /** When the read models had passed what the store held when it was back; null: not within the limit. */
  readonly caughtUpAt: number | null
  readonly revokedAt: number
  readonly refusals: Refusals
  /** How long a gateway may accept the key after that. */
  readonly refusedMsMax: number
  /** When another relay led; null if none had to. */
  readonly takenOverAt: number | null
  readonly takenOverMsMax: number
}

export const RECOVERED_MS_MAX = 15_000
export const CAUGHT_UP_MS_MAX = 60_000
const REVOKE_AFTER_MS = 500
const LEASES_MS_MAX = 60_000
const REFUSED_WAIT_MS_MAX = 20_000
const TAKEN_OVER_MS_MAX = 30_000
/** Calls count as answered again if those of this period were. */
const SLICE_MS = 1_000

export type KillOptions = {
  readonly fleet: Fleet
  readonly load: Load
  readonly companyId: string
  /** How long an engine stays down. */
  readonly downMs: number
  /** How long a gateway may accept a revoked key, and how long no relay may lead. */
  readonly refusedMsMax: number
  readonly takenOverMsMax: number
}

/** Kills it under load, revokes a key meanwhile, restarts it, and waits for full recovery. */
export async function killOne(options: KillOptions, victim: Victim): Promise<Kill> {
  const { fleet, load, companyId, downMs, refusedMsMax, takenOverMsMax } = options
  const { engines, gateways } = fleet
  const key = await mintKey(engines, companyId)
  const probe = probeKey(gateways, key)
  await probe.accepted()
  // On a busy machine Postgres may take longer to accept a connection than the soak's own pool waits for it.
  const readEpoch = () =>
    relayEpoch(fleet).then(
      (epoch) => ({ epoch }),
      () => null,
    )
  const { epoch: epochBefore } = await until('the leases can be read', readEpoch, LEASES_MS_MAX)
  const before = await engines.store.head()
  const beganAt = Date.now()
  const killed = await victim.kill()
  const killedAt = Date.now()
  const takenOver = killed.startsWith('relay') ? whenTakenOver(fleet, epochBefore) : null
  await wait(REVOKE_AFTER_MS)
  // A store that is busy, or has just started, may be slow to show what it stored; gateways are measured from then on.
  const revoked = revokeKey(engines, key.keyId).then(() => whenReadable(engines.store, before, key.keyId))
  revoked.catch(() => {})
  await wait(downMs - REVOKE_AFTER_MS)
  await victim.back()
  const backAt = Date.now()
  const revokedAt = await revoked
  const [recoveredAt, isCaughtUp] = await Promise.all([
    whenRecovered(load, backAt),
    caughtUp(engines, CAUGHT_UP_MS_MAX).then((isTrue) => (isTrue ? Date.now() : null)),
    probe.refused(revokedAt, REFUSED_WAIT_MS_MAX),
  ])
  const refusals = await probe.end(revokedAt)
  const takenOverAt = await takenOver
  return {
    victim,
    killed,
    beganAt,
    killedAt,
    backAt,
    recoveredAt,
    caughtUpAt: isCaughtUp,
    revokedAt,
    refusals,
    refusedMsMax,
    takenOverAt,
    takenOverMsMax,
  }
}

/** When a reader without a subscription finds the revocation of the key. */
async function whenReadable(store: TypedEventStore, after: Position, keyId: string): Promise<number> {
  const isThere = async () => {
    const { events } = await store.readAll({ after, categories: ['apiKey'], limit: 1_000 })
    return events.some(({ type, data }) => type === 'ApiKeyRevoked' && data.keyId === keyId)
  }
  await until('the store shows the revocation', () => isThere().catch(() => false), REFUSED_WAIT_MS_MAX)
  return Date.now()
}

async function whenTakenOver(fleet: Fleet, epochBefore: number): Promise<number | null> {
  const leads = async () => (await relayEpoch(fleet).catch(() => 0)) > epochBefore
  return until('another relay leads', leads, TAKEN_OVER_MS_MAX).then(Date.now, () => null)
}

/** When all calls have been answered completely for a while. */
async function whenRecovered(load: Load, backAt: number): Promise<number | null> {
  const isRecovered = () => {
    const since = Math.max(backAt, Date.now() - SLICE_MS)
    let count = 0
    for (let n = load.calls.length - 1; n >= 0; n--) {
      const call = load.calls[n]
      if (!call || call.endedAt < since) break
      if (call.sentAt < backAt) continue
      if (!call.whole) return false
      count++
    }
    return Date.now() - backAt >= SLICE_MS && count >= (load.rate * SLICE_MS) / 2_000
  }
  return until('calls are answered', isRecovered, RECOVERED_MS_MAX * 2).then(Date.now, () => null)
}
