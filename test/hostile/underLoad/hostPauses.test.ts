import { expect, test } from 'vitest'
import { HostPauses } from './hostPauses.ts'

test('calls that meet a moment in which the host took processor time away are told apart', () => {
  using pauses = new HostPauses(
    () => ({ all: 0, stolen: 0 }),
    () => 0,
  )
  pauses.sample(200, { all: 40, stolen: 0 })
  pauses.sample(400, { all: 80, stolen: 2 })
  pauses.sample(600, { all: 120, stolen: 12 })
  pauses.sample(800, { all: 160, stolen: 12 })
  expect(pauses.meet(0, 399)).toBe(false)
  expect(pauses.meet(390, 410)).toBe(true)
  expect(pauses.meet(2_500, 2_600)).toBe(true)
  expect(pauses.meet(2_601, 2_700)).toBe(false)
})

test('a machine that does not count such time has no pauses', () => {
  using pauses = new HostPauses(
    () => null,
    () => 0,
  )
  pauses.sample(200, null)
  expect(pauses.meet(0, 1_000)).toBe(false)
})
