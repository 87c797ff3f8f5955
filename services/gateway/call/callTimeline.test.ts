import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, expect, test } from 'vitest'
import { CALL_TIMELINES, CallTimeline, type PublishedTimeline } from './callTimeline.ts'

const published: PublishedTimeline[] = []
const keep = (timeline: unknown) => void published.push(timeline as PublishedTimeline)
afterEach(() => unsubscribe(CALL_TIMELINES, keep))

test('a subscriber gets the times of the completed steps', () => {
  subscribe(CALL_TIMELINES, keep)
  let ms = 10
  const timeline = new CallTimeline('call', { monotonicMs: () => ms++ })
  timeline.done('head read', 3)
  timeline.done('admitted')
  timeline.done('last byte of the provider', null)
  timeline.done('answer written')
  timeline.publish()
  expect(published).toEqual([{ callId: 'call', atMs: { 'head read': 3, admitted: 10, 'answer written': 11 } }])
})
