import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { machine } from './figure.ts'
import { parseCpuTicks, readCpuTicks, stolenShare, stolenSince, stolenWarning } from './stolenTime.ts'

/** A guest with two cores, before and after some minutes in which other guests of its host were busy. */
const BEGIN = `cpu  15176 0 4710 52445 1581 0 325 14851 0 0
cpu0 7488 0 2219 27016 362 0 148 7406 0 0
cpu1 7687 0 2491 25429 1219 0 177 7444 0 0
intr 544420 0 0 0 1 1 12 80 47
ctxt 1171697
btime 1794923861
processes 5022
procs_running 3
procs_blocked 0
`
const END = `cpu  33627 0 7801 52579 1634 0 415 16975 0 0
`
/** A machine without a hypervisor that runs guests: their time is in the last two columns and also in user and nice. */
const HOST = `cpu  3357 12 4313 1362393 120 34 57 0 800 12
cpu0 3357 12 4313 1362393 120 34 57 0 800 12
`

test('the first line of /proc/stat gives all ticks and those that were stolen', () => {
  expect(parseCpuTicks(BEGIN)).toEqual({ all: 89_088, stolen: 14_851 })
})

test('guest time is not counted twice', () => {
  expect(parseCpuTicks(HOST)).toEqual({ all: 1_370_286, stolen: 0 })
})

test.each([
  ['a kernel without the column', 'cpu  1132 34 1441 11311718 3675 127 438\ncpu0 1132 34 1441 11311718 3675 127 438\n'],
  ['a line of one CPU', 'cpu0 7488 0 2219 27016 362 0 148 7406 0 0\n'],
  ['no text', ''],
])('%s gives null', (_, text) => {
  expect(parseCpuTicks(text)).toBeNull()
})

test('the share is the stolen part of all CPU time between two moments', () => {
  expect(stolenShare(parseCpuTicks(BEGIN), parseCpuTicks(END))).toBe(0.0887)
})

test.each([
  ['one moment is not known', null, { all: 100, stolen: 1 }],
  ['no time passes by the counters', { all: 0, stolen: 0 }, { all: 0, stolen: 0 }],
  ['the counter of stolen time goes back', { all: 100, stolen: 50 }, { all: 200, stolen: 20 }],
])('the share is null if %s', (_, begin, end) => {
  expect(stolenShare(begin, end)).toBeNull()
})

test.each([
  [0.031, 'throughput: the host took away 3 % of the CPU time, so these figures are unreliable.'],
  [0.67, 'throughput: the host took away 67 % of the CPU time, so these figures are unreliable.'],
  [0.03, null],
  [0, null],
  [null, null],
])('a share of %s is reported as %s', (share, warning) => {
  expect(stolenWarning('throughput', share)).toBe(warning)
})

test('a run has a share of the counters of this machine, or none without /proc/stat', () => {
  const now = readCpuTicks()
  const begin = now && { all: now.all - 1_000_000, stolen: now.stolen - 500_000 }
  expect(now === null).toBe(!existsSync('/proc/stat'))
  for (const share of [stolenSince(begin), machine(begin).stolen]) {
    if (begin === null) expect(share).toBeNull()
    else expect(share).toBeCloseTo(0.5, 2)
  }
})
