import { subscribe } from 'node:diagnostics_channel'
import { isMainThread } from 'node:worker_threads'
import { CALL_TIMELINES, type PublishedTimeline } from '../../../services/gateway/call/callTimeline.ts'
import { performanceOffsetMs } from './machineMs.ts'

/** Loaded into a process before its program: keeps the timelines of its calls, and sends them when asked. */
export type Timelines = { readonly timelines: readonly PublishedTimeline[]; readonly offsetMs: number }
export type TimelinesQuestion = 'timelines'

if (isMainThread) {
  let timelines: PublishedTimeline[] = []
  subscribe(CALL_TIMELINES, (timeline) => timelines.push(timeline as PublishedTimeline))
  process.on('message', (question: TimelinesQuestion) => {
    if (question !== 'timelines') return
    process.send?.({ timelines, offsetMs: performanceOffsetMs() } satisfies Timelines)
    timelines = []
  })
}
