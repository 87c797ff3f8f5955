import { expect, test } from 'vitest'
import { filesOf, hashOfSimulatedCode } from './simulatedCode.ts'

test('the code of a world is what it loads: its services, the rules, and the simulator', () => {
  const files = { A: filesOf('A'), B: filesOf('B'), C: filesOf('C') }
  for (const world of ['A', 'B', 'C'] as const) {
    expect(files[world]).toContain(`test/simulation/worlds/${world.toLowerCase()}.ts`)
    expect(files[world]).toContain('test/simulation/simulate.ts')
    expect(files[world]).toContain('domain/ledger/decider.ts')
    expect(files[world]).toContain('platform/eventStore/pursuit.ts')
    expect([...files[world]].filter((file) => file.endsWith('.test.ts'))).toEqual([])
  }
  expect(files.A).toContain('services/gateway/call/callRecord.ts')
  expect(files.A).not.toContain('services/reactor/reactor.ts')
  expect(files.B).toContain('services/reactor/paymentEvents/refunds.ts')
  expect(files.B).toContain('services/backend/graphql/resolvers/people/account.ts')
  expect(files.B).toContain('projections/users/table.sql')
  expect(files.C).toContain('services/ai/workers/email/emailWorker.ts')
  expect(files.C).toContain('capabilities/statements/statementPdf.ts')
  expect(files.C).not.toContain('console/build/build.ts')
})

test('two worlds have different codes, each always the same', () => {
  expect(hashOfSimulatedCode('A')).toBe(hashOfSimulatedCode('A'))
  expect(new Set(['A', 'B', 'C'].map((world) => hashOfSimulatedCode(world as 'A'))).size).toBe(3)
})
