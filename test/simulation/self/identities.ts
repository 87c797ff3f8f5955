import assert from 'node:assert/strict'
import { createHmac, scrypt } from 'node:crypto'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import { enterRun } from '../scheduler/currentRun.ts'
import { Scheduler } from '../scheduler/scheduler.ts'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'

const hashed = promisify(scrypt) as (password: string, salt: Buffer, bytes: number) => Promise<Buffer>

/** Prints what belongs to one simulated process and not to the others. */
export async function run(): Promise<void> {
  const scheduler = new Scheduler(1, Date.UTC(2026, 2, 1))
  enterRun(scheduler)
  const one = new SimulatedProcess('one', { pid: 1_001 })
  const two = new SimulatedProcess('two', { pid: 1_002, bornMs: -5_000 })
  const within = async <Result>(owner: SimulatedProcess, work: () => Result | Promise<Result>): Promise<Result> => {
    let isDone = false
    const result = scheduler.processes.run(owner, async () => work())
    const end = () => {
      isDone = true
    }
    result.then(end, end)
    await scheduler.runUntil(() => isDone)
    return result
  }
  const says = (what: string) => process.stdout.write(`${what}\n`)

  const identity = () => `${hostname()} ${process.pid}`
  assert.deepEqual([await within(one, identity), await within(two, identity)], ['one 1001', 'two 1002'])
  says('host name and process id')

  const clocks = () => [Date.now(), performance.now()] as const
  const [before, monotonicBefore] = await within(one, clocks)
  one.clockAheadMs = -3_600_000
  const [after, monotonicAfter] = await within(one, clocks)
  assert(after < before && monotonicAfter >= monotonicBefore)
  assert((await within(two, clocks))[1] >= 5_000)
  says('a clock that jumps, and one that does not')

  const heard: string[] = []
  for (const owner of [one, two]) await within(owner, () => void process.on('SIGHUP', () => heard.push(owner.name)))
  one.events.emit('SIGHUP')
  assert.deepEqual(heard, ['one'])
  assert.equal(process.listenerCount('SIGHUP'), 0)
  says('listeners for signals')

  const salt = Buffer.from('salt')
  const first = await within(one, () => hashed('password', salt, 32))
  assert.equal(first.length, 32)
  assert.deepEqual(await within(two, () => hashed('password', salt, 32)), first)
  assert.notDeepEqual(await within(two, () => hashed('other', salt, 32)), first)
  says('password hashes that end as steps')

  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const signed = await within(one, async () => {
    const key = await crypto.subtle.importKey('raw', salt, algorithm, false, ['sign'])
    return Buffer.from(await crypto.subtle.sign('HMAC', key, salt))
  })
  assert.deepEqual(signed, createHmac('sha256', salt).update(salt).digest())
  says('WebCrypto')

  const cut = scheduler.processes.run(one, () => hashed('password', salt, 32))
  one.kill()
  await assert.rejects(cut, /killed/)
  assert.equal(one.events.listenerCount('SIGHUP'), 0)
  says('hashes and listeners of a killed process end')
}
