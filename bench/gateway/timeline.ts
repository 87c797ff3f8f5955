import { CALL_STEPS, type CallStep } from '../../services/gateway/call/callTimeline.ts'
import type { Timelines } from '../processes/recordTimelines.ts'
import type { SteadyCall } from '../processes/steadyLoad.ts'

/** The steps between the caller's request and the end of its answer, named by what ends them. */
export const TIMELINE_STEPS = [...CALL_STEPS, 'answer received'] as const
export type TimelineStep = (typeof TIMELINE_STEPS)[number]

/** The duration of each step, call by call. */
export type StepTimes = Record<TimelineStep, number[]>

export function noStepTimes(): StepTimes {
  return Object.fromEntries(TIMELINE_STEPS.map((step) => [step, [] as number[]])) as StepTimes
}

/** Adds the steps of the measured calls: from one moment to the next, beginning with the caller's request. */
export function addSteps(times: StepTimes, calls: readonly SteadyCall[], { timelines, offsetMs }: Timelines): void {
  const byId = new Map(timelines.map(({ callId, atMs }) => [callId, atMs]))
  for (const { id, sentAtMs, receivedAtMs } of calls) {
    const moments = byId.get(id)
    if (!moments) throw new Error(`call ${id} has no timeline`)
    const momentOf = (step: CallStep) => (moments[step] ?? Number.NaN) + offsetMs
    let before = sentAtMs
    for (const step of CALL_STEPS) {
      // The last byte of a short answer arrives together with the first, before the call continues.
      const atMs = Math.max(before, momentOf(step))
      times[step].push(atMs - before)
      before = atMs
    }
    times['answer received'].push(receivedAtMs - before)
  }
}
