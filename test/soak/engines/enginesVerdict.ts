import { judge } from '../../crash/judgeCharges.ts'
import type { LoggedCall } from '../../support/parties/recordingProvider.ts'
import type { Ledger } from './fleetBooks.ts'
import { isHeld, type LimitWindow } from './keyLimitWindows.ts'
import { CAUGHT_UP_MS_MAX, type Kill, RECOVERED_MS_MAX } from './kills.ts'
import type { SoakCall } from './steadyLoad.ts'
import type { Silence } from './storeProbe.ts'

/** A named check and its result. */
export type Check = { readonly name: string; readonly passed: boolean; readonly detail: string }

const SHOWN_MAX = 5

export function check(name: string, faults: readonly string[], detail: string): Check {
  const shown = faults.slice(0, SHOWN_MAX).join('; ')
  const more = faults.length > SHOWN_MAX ? `; and ${faults.length - SHOWN_MAX} more` : ''
  return { name, passed: faults.length === 0, detail: faults.length === 0 ? detail : `${shown}${more}` }
}

/**
 * The checks of each kill. The calls are those of the load that ended between it and the next kill. Silences are those of
 * a store that was not killed, which a slow disk can cause: gateways are right to refuse calls then.
 */
export function judgeKill(
  kill: Kill,
  calls: readonly SoakCall[],
  kills: readonly Kill[],
  silences: readonly Silence[],
): Check[] {
  const { victim, killedAt, backAt, caughtUpAt, takenOverAt, takenOverMsMax, refusedMsMax } = kill
  const seconds = (from: number, to: number | null) => (to === null ? 'never' : `${((to - from) / 1000).toFixed(1)} s`)
  const checks = [
    check(`${victim.name} killed: calls go on`, callFaults(kill, calls, kills, silences), callDetail(kill, calls)),
    check(
      `${victim.name} killed: a key revoked meanwhile is refused within ${refusedMsMax / 1000} s`,
      refusalFaults(kill),
      refusalDetail(kill),
    ),
    check(
      `${victim.name} killed: the read models catch up`,
      caughtUpAt === null ? [`not within ${CAUGHT_UP_MS_MAX / 1000} s`] : [],
      `${seconds(backAt, caughtUpAt)} after its return`,
    ),
  ]
  if (!kill.killed.startsWith('relay')) return checks
  const isLate = takenOverAt === null || takenOverAt - killedAt > takenOverMsMax
  const took = seconds(killedAt, takenOverAt)
  return [
    ...checks,
    check(
      `a relay killed: another leads within ${takenOverMsMax / 1000} s`,
      isLate ? [`after ${took}`] : [],
      `after ${took}`,
    ),
  ]
}

function callFaults(
  kill: Kill,
  calls: readonly SoakCall[],
  kills: readonly Kill[],
  silences: readonly Silence[],
): string[] {
  const isExcused = (call: SoakCall) =>
    kills.some((one) => excuses(one, call)) || silences.some((silence) => isRefusedIn(silence, call))
  const faults = calls.filter((call) => !call.whole && !isExcused(call)).map(describe)
  const answeredMs = (kill.recoveredAt ?? Number.POSITIVE_INFINITY) - kill.backAt
  if (answeredMs > RECOVERED_MS_MAX) {
    faults.unshift(`calls were not answered again within ${RECOVERED_MS_MAX / 1000} s of its return`)
  }
  return faults
}

/** Calls need only the store and the gateway that they were sent to; whatever else dies, none may fail. */
function excuses({ victim, beganAt, recoveredAt }: Kill, { gateway, sentAt, endedAt }: SoakCall): boolean {
  if (!victim.isStore && gateway !== victim.gateway) return false
  return endedAt >= beganAt && sentAt <= (recoveredAt ?? Number.POSITIVE_INFINITY)
}

/** A gateway notices that the store answers again a little later than the probe does. */
const NOTICED_MS_MAX = 1_000

function isRefusedIn({ from, to }: Silence, { status, message = '', sentAt, endedAt }: SoakCall): boolean {
  return status === 503 && message.includes('be stored') && endedAt >= from && sentAt <= to + NOTICED_MS_MAX
}

function callDetail({ backAt, recoveredAt }: Kill, calls: readonly SoakCall[]): string {
  const failed = calls.filter(({ whole }) => !whole).length
  const seconds = (((recoveredAt ?? backAt) - backAt) / 1000).toFixed(1)
  return `${calls.length} calls, ${failed} failed; all are answered ${seconds} s after its return`
}

function describe({ marker, gateway, status, whole, fault, message, sentAt, endedAt }: SoakCall): string {
  const answer = message === undefined ? status : `${status} (${message})`
  const end = fault ?? (status === 200 && !whole ? '200, but not whole' : answer)
  const sent = new Date(sentAt).toISOString()
  return `${marker} at gateway ${gateway + 1}, sent ${sent}: ${end} after ${endedAt - sentAt} ms`
}

function refusalFaults({ refusals, refusedMsMax }: Kill): string[] {
  return refusals.flatMap((ms, gateway) => {
    if (ms === null) return [`gateway ${gateway + 1} did not answer since`]
    return ms > refusedMsMax ? [`gateway ${gateway + 1} took it for ${ms} ms`] : []
  })
}

function refusalDetail({ refusals }: Kill): string {
  return `the gateways took it for ${refusals.join(', ')} ms more`
}

export type Evidence = {
  /** The calls of all callers, including those with the limited key. */
  readonly calls: readonly SoakCall[]
  readonly ledgers: readonly Ledger[]
  readonly log: readonly LoggedCall[]
}

export type LedgerVerdict = { readonly checks: Check[]; readonly counts: Readonly<Record<string, number>> }

/** Compares three records of the same calls: the callers', the ledgers' and the provider's. */
export function judgeLedgers({ calls, ledgers, log }: Evidence): LedgerVerdict {
  const ledger = ledgers.flatMap(({ events }) => events)
  // Others were refused or told to retry; they must not be charged.
  const outcomes = calls.filter(({ status }) => status === 200 || status === null)
  const { faults, ...judged } = judge({ outcomes, ledger, log })
  const failed = chargedThoughFailed(calls, ledgers)
  const copies = ledgers.reduce((sum, one) => sum + one.copies, 0)
  const counts = { calls: calls.length, ...judged, reversed: reversals(ledger).size, copies }
  const detail = `${judged.whole} whole responses, ${judged.charged} charges, ${copies} second copies under the same id`
  return {
    counts,
    checks: [
      check('every whole response is charged once; no call twice, none both charged and failed', faults, detail),
      check('no call costs whose caller was told that it failed', failed, `${counts.reversed} charges reversed`),
    ],
  }
}

function chargedThoughFailed(calls: readonly SoakCall[], ledgers: readonly Ledger[]): string[] {
  const ledger = ledgers.flatMap(({ events }) => events)
  const reversed = reversals(ledger)
  const charged = new Set(ledger.flatMap(({ type, data }) => (type === 'CallCharged' ? [data.callId] : [])))
  return calls
    .filter(({ status, callId }) => status !== null && status !== 200 && callId !== null && charged.has(callId))
    .filter(({ callId }) => !reversed.has(callId as string))
    .map((call) => `${describe(call)}, and it is charged`)
}

function reversals(ledger: readonly Ledger['events'][number][]): Set<string> {
  return new Set(ledger.flatMap(({ type, data }) => (type === 'ChargeReversed' ? [data.callId] : [])))
}

export function judgeLimits(windows: readonly LimitWindow[], limit: number, gateways: number): Check {
  const faults = windows
    .filter((window) => !isHeld(window, limit, gateways))
    .map(
      (window) =>
        `${window.admitted} calls admitted${withoutRedis(window)} and ${window.unknown} cut in the minute ${window.minute}`,
    )
  if (windows.length === 0) faults.push('no whole minute was seen')
  const name = `a limit of ${limit} a minute is held across gateways, but for shares of gateways without Redis`
  const detail = windows.map((window) => `${window.admitted} of ${window.offered}${withoutRedis(window)}`).join(', ')
  return check(name, faults, `${detail} admitted`)
}

function withoutRedis({ alone }: LimitWindow): string {
  return alone.length === 0 ? '' : ` (${alone.join(' and ')} by gateways without Redis)`
}
