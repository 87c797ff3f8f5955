import { expect, it } from 'vitest'
import { runProgram } from './runProgram.ts'

it('connections share one session without noticing each other', async () => {
  expect(await runProgram('connections')).toEqual([
    'two connections',
    'LISTEN, NOTIFY and UNLISTEN per connection',
    'a statement of another connection waits for the transaction',
    'prepared statements of the same name',
    'settings per connection',
    'errors, and transactions that failed',
    'COPY, and one that is refused',
    'a clock of its own',
    'a connection that ends in a transaction is rolled back',
    'answers to a killed process',
  ])
})

it('HTTP works over connections in memory, and a seed repeats exactly', async () => {
  const lines = await runProgram('http', '1', '2', '1')
  const hashes = lines.filter((line) => /^\d+ [0-9a-f]{32}$/.test(line))
  expect(hashes[0]).toBe(hashes[2])
  expect(new Set(hashes).size).toBe(2)
  expect(lines.filter((line) => line === '/left closed, cut')).toHaveLength(3)
  expect(lines.filter((line) => line === 'stream: 20 events at 20')).toHaveLength(3)
  expect(lines.filter((line) => line === `parallel: ${Array(6).fill('answer')}`)).toHaveLength(3)
  expect(lines.filter((line) => line === 'killed: read ECONNRESET')).toHaveLength(3)
})

it('each process has its own identity, clock, listeners and hashes', async () => {
  expect(await runProgram('identities')).toEqual([
    'host name and process id',
    'a clock that jumps, and one that does not',
    'listeners for signals',
    'password hashes that end as steps',
    'WebCrypto',
    'hashes and listeners of a killed process end',
  ])
})

it('a run fails if a process leaves the simulation', async () => {
  const outcomes = new Map((await runProgram('refusals')).map((line) => line.split(/: (.*)/s) as [string, string]))
  for (const harmless of ['nothing', 'a known file call', 'a rejection of a killed process']) {
    expect(outcomes.get(harmless)).toBe('fine')
    outcomes.delete(harmless)
  }
  expect(outcomes.size).toBe(13)
  expect([...outcomes].filter(([, outcome]) => outcome === 'fine')).toEqual([])
})

it('a seed has the same hash in a fresh process and in a reused one', async () => {
  // The same seed twice: what a run leaves behind has the ids of the next one, and is found by it.
  const [fresh, reused] = await runProgram('hashes', 'B', '2', '2')
  expect(fresh).toMatch(/^2 [0-9a-f]{32}$/)
  expect(reused).toBe(fresh)
})
