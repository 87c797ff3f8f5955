import { subscribe } from 'node:diagnostics_channel'
import { isMainThread } from 'node:worker_threads'
import { CALL_TIMELINES, type PublishedTimeline } from '../../services/gateway/call/callTimeline.ts'
import { performanceOffsetMs } from './machineMs.ts'

/**
 * Loaded into a process before its program: keeps the timelines of its calls once asked to, and sends them on request.
 * Until then, calls are unaffected.
 */
export type Timelines = { readonly timelines: readonly PublishedTimeline[]; readonly offsetMs: number }
export type TimelinesQuestion = 'record timelines' | 'timelines'

if (isMainThread) {
  let timelines: PublishedTimeline[] = []
  const record = (timeline: unknown) => {
    timelines.push(timeline as PublishedTimeline)
  }
  process.on('message', (question: TimelinesQuestion) => {
    if (question === 'record timelines') subscribe(CALL_TIMELINES, record)
    else if (question !== 'timelines') return
    process.send?.({ timelines, offsetMs: performanceOffsetMs() } satisfies Timelines)
    timelines = []
  })
}
