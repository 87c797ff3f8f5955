import { expect, test } from 'vitest'
import { judge, judgeCharges, judgeRefusals, percentile } from './verdict.ts'

const stretch = (ms: number, failures: string[] = []) => ({
  latenciesMs: Array.from({ length: 200 }, () => ms),
  failures,
  disturbed: 0,
})

test('the 99th percentile of 200 samples is the 198th', () => {
  expect(
    percentile(
      Array.from({ length: 200 }, (_, n) => n + 1),
      99,
    ),
  ).toBe(198)
  expect(percentile([], 99)).toBe(0)
})

test('calls that take up to 50 ms longer pass', () => {
  expect(judge('a', 'chat', stretch(60), [stretch(10), stretch(10)])).toMatchObject({ passed: true, p99Ms: 60 })
})

test('calls that take more than 50 ms longer fail', () => {
  expect(judge('a', 'chat', stretch(61), [stretch(10)])).toMatchObject({
    passed: false,
    detail: 'the attack added 51 ms',
  })
})

test('what the attack costs on a bare server as well is not counted', () => {
  expect(judge('a', 'chat', stretch(90), [stretch(10)], stretch(45))).toMatchObject({
    ...{ passed: true, referenceP99Ms: 10, bareServerP99Ms: 45 },
  })
  expect(judge('a', 'chat', stretch(96), [stretch(10)], stretch(45)).detail).toBe('the attack added 51 ms')
})

test('one call that is not answered fails, however fast the others are', () => {
  expect(judge('a', 'chat', stretch(1, ['503 busy']), [stretch(10)])).toMatchObject({
    passed: false,
    failed: 1,
    detail: '1 calls failed: 503 busy',
  })
})

test('an attack during which no call was answered fails', () => {
  expect(judge('a', 'chat', { latenciesMs: [], failures: [], disturbed: 0 }, [stretch(10)]).passed).toBe(false)
})

test('an attack during which the host disturbed most calls, or most of those around it, is not judged by the rest', () => {
  const disturbed = { ...stretch(10), disturbed: 201 }
  expect(judge('a', 'chat', disturbed, [stretch(10)])).toMatchObject({
    passed: false,
    detail: 'the host disturbed 201 of its calls',
  })
  expect(judge('a', 'chat', stretch(10), [disturbed]).passed).toBe(false)
  expect(judge('a', 'chat', { ...stretch(10), disturbed: 200 }, [stretch(10)]).passed).toBe(true)
})

test('an attack that is answered must be charged', () => {
  const none = { requests: 10, failures: 1 }
  expect(judgeCharges('a', none, { requests: 20, failures: 3 })).toMatchObject({ passed: true, calls: 10, failed: 2 })
  expect(judgeCharges('a', none, { requests: 20, failures: 11 })).toMatchObject({ passed: false })
  expect(judgeCharges('a', none, none)).toMatchObject({ passed: false })
})

test('most requests of an excessive attack must be refused', () => {
  expect(judgeRefusals('a', { 400: 2, 429: 90 })).toMatchObject({ passed: true, calls: 92, failed: 90 })
  expect(judgeRefusals('a', { 400: 2, 429: 2 })).toMatchObject({
    passed: false,
    detail: 'only 2 of 4 requests were refused',
  })
  expect(judgeRefusals('a', {})).toMatchObject({ passed: false })
})
