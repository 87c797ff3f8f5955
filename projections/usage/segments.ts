import { bucketOf, type Granularity } from './callCounts.ts'

/** A part of a range that consists of whole buckets. */
export type Segment = {
  readonly granularity: Granularity
  readonly from: string
  /** Exclusive; null: no end. */
  readonly to: string | null
}

/**
 * Divides a range, which is exact to the minute, into whole days, the hours around them and the minutes around those. A
 * month that starts at any minute is read from about 30 days, 46 hours and 118 minutes instead of 44,640 minutes.
 */
export function segmentsOf(from: string, to: string | null, coarsest: 'day' | 'hour'): Segment[] {
  const hours: Divide = (start, end) => divided(start, end, 'hour', minutes)
  return coarsest === 'hour' ? hours(from, to) : divided(from, to, 'day', hours)
}

type Divide = (from: string, to: string | null) => Segment[]

const minutes: Divide = (from, to) => (to !== null && from >= to ? [] : [{ granularity: 'minute', from, to }])

/** The whole buckets of a range, and what remains before and after them, divided further. */
function divided(from: string, to: string | null, granularity: 'day' | 'hour', rest: Divide): Segment[] {
  const start = nextBucket(from, granularity)
  const end = to === null ? null : bucketOf(to, granularity)
  if (end !== null && start >= end) return rest(from, to)
  return [
    ...(from < start ? rest(from, start) : []),
    { granularity, from: start, to: end },
    ...(end !== null && to !== null && end < to ? rest(end, to) : []),
  ]
}

const BUCKET_MS = { day: 86_400_000, hour: 3_600_000 } as const

/** The first bucket that begins at or after the time. */
function nextBucket(time: string, granularity: 'day' | 'hour'): string {
  const began = bucketOf(time, granularity)
  return began === time ? time : new Date(Date.parse(began) + BUCKET_MS[granularity]).toISOString()
}
