import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { CompanyCpu, CPU_COMPANIES_MAX } from './companyCpu.ts'

test('a company waits until its overspending has been forgiven; others do not', async () => {
  const clock = new ManualClock()
  const cpu = new CompanyCpu(clock, { cpuBurstMs: 1_000, cpuShare: 0.5 })
  cpu.spend('acme', 1_000)
  expect(cpu.waitMs('acme')).toBe(0)
  cpu.spend('acme', 100)
  expect([cpu.waitMs('acme'), cpu.waitMs('other')]).toEqual([200, 0])
  await clock.advance(150)
  expect(cpu.waitMs('acme')).toBe(50)
  await clock.advance(50)
  expect(cpu.waitMs('acme')).toBe(0)
  await clock.advance(10_000)
  cpu.spend('acme', 1_000)
  expect(cpu.waitMs('acme')).toBe(0)
})

test('companies beyond the limit are forgotten, the oldest first', () => {
  const cpu = new CompanyCpu(new ManualClock(), { cpuBurstMs: 0, cpuShare: 1 })
  for (let n = 0; n <= CPU_COMPANIES_MAX; n++) cpu.spend(`c${n}`, 10)
  expect([cpu.waitMs('c0'), cpu.waitMs('c1'), cpu.waitMs(`c${CPU_COMPANIES_MAX}`)]).toEqual([0, 10, 10])
})
