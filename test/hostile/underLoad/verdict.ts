import type { Stretch } from './payingLoad.ts'

/** How much an attack may add to the 99th percentile. */
export const ADDED_MS_MAX = 50

export type Verdict = {
  readonly attack: string
  readonly request: string
  readonly calls: number
  readonly failed: number
  /** Calls that are not judged, because the host gave the processor to others meanwhile. */
  readonly disturbed: number
  /** Too few calls are left to judge by. */
  readonly isDisturbed: boolean
  readonly p50Ms: number
  readonly p99Ms: number
  /** Measured right before and right after the attack. */
  readonly referenceP99Ms: number
  /** While the same attack was sent to a bare server on this machine; only measured for an attack that is repeated. */
  readonly bareServerP99Ms?: number
  readonly passed: boolean
  /** The reasons of a failure; empty if it passed. */
  readonly detail: string
}

/**
 * Compares the calls during an attack with those around it, or with those while a bare server had to receive it if these
 * were slower: attacker and attacked share the processors here, which is no fault of the attacked.
 */
export function judge(
  attack: string,
  request: string,
  during: Stretch,
  around: readonly Stretch[],
  onBareServer?: Stretch,
): Verdict {
  const reference = around.flatMap(({ latenciesMs }) => latenciesMs)
  const [p50Ms, p99Ms, referenceP99Ms] = [
    percentile(during.latenciesMs, 50),
    percentile(during.latenciesMs, 99),
    percentile(reference, 99),
  ]
  const bareServerP99Ms = onBareServer && percentile(onBareServer.latenciesMs, 99)
  const addedMs = p99Ms - Math.max(referenceP99Ms, bareServerP99Ms ?? 0)
  const isDisturbed = [[during], around, onBareServer ? [onBareServer] : []].some(areDisturbed)
  const faults = [
    ...(during.failures.length > 0 ? [`${during.failures.length} calls failed: ${during.failures[0]}`] : []),
    ...(addedMs > ADDED_MS_MAX ? [`the attack added ${rounded(addedMs)} ms`] : []),
    ...(during.latenciesMs.length === 0 ? ['no call was answered'] : []),
    ...(isDisturbed ? [`the host disturbed ${during.disturbed} of its calls`] : []),
  ]
  return {
    ...{ attack, request, calls: during.latenciesMs.length + during.failures.length, failed: during.failures.length },
    ...{ disturbed: during.disturbed, isDisturbed },
    ...{ p50Ms: rounded(p50Ms), p99Ms: rounded(p99Ms), referenceP99Ms: rounded(referenceP99Ms) },
    ...(bareServerP99Ms === undefined ? {} : { bareServerP99Ms: rounded(bareServerP99Ms) }),
    ...{ passed: faults.length === 0, detail: faults.join('; ') },
  }
}

function areDisturbed(stretches: readonly Stretch[]): boolean {
  const left = stretches.reduce((sum, { latenciesMs, failures }) => sum + latenciesMs.length + failures.length, 0)
  return stretches.reduce((sum, { disturbed }) => sum + disturbed, 0) > left
}

const NOTHING_MEASURED = { disturbed: 0, isDisturbed: false, p50Ms: 0, p99Ms: 0, referenceP99Ms: 0 }

export type Usage = { readonly requests: number; readonly failures: number }

/** The calls of an attack must be charged, except for those that it was in the middle of when it ended. */
export function judgeCharges(attack: string, before: Usage, after: Usage): Verdict {
  const calls = after.requests - before.requests
  const failed = after.failures - before.failures
  const isCharged = calls - failed > failed
  return {
    ...{ attack, request: 'charges for the attack', calls, failed, ...NOTHING_MEASURED },
    ...{ passed: isCharged, detail: isCharged ? '' : `only ${calls - failed} of ${calls} calls were charged` },
  }
}

/** Most requests of an excessive attack must be refused with 429 instead of processed. */
export function judgeRefusals(attack: string, answers: Readonly<Record<string, number>>): Verdict {
  const calls = Object.values(answers).reduce((sum, count) => sum + count, 0)
  const failed = answers['429'] ?? 0
  const isRefused = failed > calls - failed
  return {
    ...{ attack, request: 'refusals of the attack', calls, failed, ...NOTHING_MEASURED },
    ...{ passed: isRefused, detail: isRefused ? '' : `only ${failed} of ${calls} requests were refused` },
  }
}

/** The nth percentile of the samples, by nearest rank; 0 without samples. */
export function percentile(samples: readonly number[], nth: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((nth / 100) * sorted.length) - 1)] ?? 0
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
