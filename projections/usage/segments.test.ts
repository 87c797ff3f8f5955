import { expect, test } from 'vitest'
import { segmentsOf } from './segments.ts'

const at = (time: string) => `2026-03-${time}:00.000Z`
const brief = (from: string, to: string | null, coarsest: 'day' | 'hour' = 'day') =>
  segmentsOf(at(from), to && at(to), coarsest).map(({ granularity, from, to }) =>
    [granularity, from.slice(8, 16), to?.slice(8, 16) ?? 'open'].join(' '),
  )

test('a range is divided into days, the hours around them and the minutes around those', () => {
  expect(brief('01T22:58', '04T01:02')).toEqual([
    'minute 01T22:58 01T23:00',
    'hour 01T23:00 02T00:00',
    'day 02T00:00 04T00:00',
    'hour 04T00:00 04T01:00',
    'minute 04T01:00 04T01:02',
  ])
})

test('a range of whole days is read from days alone, even without an end', () => {
  expect(brief('01T00:00', '03T00:00')).toEqual(['day 01T00:00 03T00:00'])
  expect(brief('01T00:00', null)).toEqual(['day 01T00:00 open'])
})

test('groups by hour are never read from days', () => {
  expect(brief('01T00:00', '03T00:30', 'hour')).toEqual(['hour 01T00:00 03T00:00', 'minute 03T00:00 03T00:30'])
})

test('a range within an hour is read from its minutes, an empty one from nothing', () => {
  expect(brief('01T10:05', '01T10:07')).toEqual(['minute 01T10:05 01T10:07'])
  expect(brief('01T10:58', '01T11:02')).toEqual(['minute 01T10:58 01T11:02'])
  expect(brief('01T10:05', '01T10:05')).toEqual([])
})
