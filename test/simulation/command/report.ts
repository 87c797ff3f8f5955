import type { Outcome } from '../simulate.ts'
import type { WorldName } from '../world.ts'
import { missedCounters, verdictOf, type WorldSummary } from './summary.ts'

/** Failures whose steps are printed; of the others only the invariant. */
export const FAILURES_WITH_STEPS = 3

export const replayCommand = (world: WorldName, seed: number): string =>
  `npm run simulate -- --world ${world} --seed ${seed} --trace`

/** The steps before a failure, the invariant, and how to see all of it again. */
export function failureText(world: WorldName, { seed, failure }: Outcome, hasSteps: boolean): string {
  if (!failure) return ''
  const steps = hasSteps ? failure.lastSteps.map((step) => `  ${step}\n`).join('') : ''
  return `${steps}FAIL world ${world}, seed ${seed}: ${failure.invariant}: ${failure.detail}\n  ${replayCommand(world, seed)}\n`
}

/** What each world did, and as the last line how many passed and failed. */
export function reportText(summaries: readonly WorldSummary[]): string {
  const { passed, failed } = verdictOf(summaries)
  return `${summaries.map(worldText).join('')}${passed} passed, ${failed} failed\n`
}

function worldText(summary: WorldSummary): string {
  const { world, seeds, from, seconds, seedsPerSecond, calls, events, kills, replayed, zeroCounters } = summary
  const lines = [
    `world ${world}: ${seeds} seeds from ${from} in ${seconds} s (${seedsPerSecond} a second), ${calls} calls, ${events} events, ${kills} kills`,
    `  hash ${summary.hash}`,
    ...tableOf('faults', summary.faults),
    ...tableOf('counters', summary.counters),
    ...(replayed > 0 ? [`  ${replayed} seeds run again in processes of their own`] : []),
    ...summary.differences.map(
      ({ seed, first, again }) => `FAIL world ${world}, seed ${seed}: a second run differs: ${first}, then ${again}`,
    ),
  ]
  const missed = missedCounters(summary)
  if (missed.length > 0) {
    lines.push(...missed.map((name) => `FAIL world ${world}: "${name}" never happened in ${seeds} seeds`))
  } else if (zeroCounters.length > 0) lines.push(`  not yet: ${zeroCounters.join(', ')}`)
  return `${lines.join('\n')}\n`
}

function tableOf(title: string, counts: Readonly<Record<string, number>>): string[] {
  const rows = Object.entries(counts).map(([name, count]) => `${String(count).padStart(10)}  ${name}`)
  return rows.length === 0 ? [] : [`  ${title}`, ...rows]
}
