import { describe, expect, test } from 'vitest'
import { type TurnLimits, type TurnRefusals, Turns } from './turns.ts'

const LIMITS: TurnLimits = { runningMax: 2, runningPerOwnerMax: 2, waitingMax: 8, waitingPerOwnerMax: 8 }

const named = (name: string) => Object.assign(new Error(), { name })
const REFUSALS: TurnRefusals = { busy: () => named('Busy'), canceled: () => named('Canceled') }

/** Tasks that start in the order of their turns, and end when the test says so. */
function turnsOf(limits: Partial<TurnLimits> = {}) {
  const turns = new Turns({ ...LIMITS, ...limits }, REFUSALS)
  const started: string[] = []
  const refused: string[] = []
  const ends = new Map<string, () => void>()
  /** Lets the promises of this turn settle. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    turns,
    started,
    refused,
    /** The owner is the letter of a task such as `a1`. */
    enter: async (task: string, signal?: AbortSignal) => {
      turns.enter(task.slice(0, 1), signal).then(
        (end) => {
          started.push(task)
          ends.set(task, end)
        },
        (error: Error) => refused.push(`${task} ${error.name}`),
      )
      await settle()
    },
    end: async (task: string) => {
      ends.get(task)?.()
      await settle()
    },
  }
}

describe('turns', () => {
  test('go to the owners in rotation, however many tasks each has', async () => {
    const { enter, end, started } = turnsOf()
    for (const task of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2']) await enter(task)
    for (let n = 0; n < 8; n++) await end(started[n] ?? '')
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5'])
  })

  test('leave a place for other owners', async () => {
    const { enter, end, started } = turnsOf({ runningPerOwnerMax: 1 })
    for (const task of ['a1', 'a2', 'a3', 'b1']) await enter(task)
    expect(started).toEqual(['a1', 'b1'])
    await end('b1')
    expect(started).toEqual(['a1', 'b1'])
    await end('a1')
    expect(started).toEqual(['a1', 'b1', 'a2'])
  })
})

describe('a full queue', () => {
  test('refuses what an owner sends beyond its own limit, and accepts others', async () => {
    const { enter, refused, started, end } = turnsOf({ waitingPerOwnerMax: 2 })
    for (const task of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) await enter(task)
    expect(refused).toEqual(['a5 Busy'])
    await end('a1')
    await end('a2')
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1'])
  })

  test('gives the place of the newest task of the owner with the most to one with fewer', async () => {
    const { enter, refused, started, end } = turnsOf({ waitingMax: 3 })
    for (const task of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1']) await enter(task)
    expect(refused).toEqual(['a5 Busy', 'a4 Busy'])
    await enter('b2')
    expect(refused.slice(2)).toEqual(['b2 Busy'])
    for (let n = 0; n < 5; n++) await end(started[n] ?? '')
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1'])
  })
})

describe('a task that is no longer needed', () => {
  test('leaves the queue and costs its owner no turn', async () => {
    const { enter, end, started, refused } = turnsOf({ runningMax: 1 })
    const leaving = new AbortController()
    await enter('a1')
    await enter('b1', leaving.signal)
    await enter('b2')
    await enter('c1')
    leaving.abort()
    for (let n = 0; n < 3; n++) await end(started[n] ?? '')
    expect(started).toEqual(['a1', 'b2', 'c1'])
    expect(refused).toEqual(['b1 Canceled'])
    await enter('a2', leaving.signal)
    expect(refused.at(-1)).toBe('a2 Canceled')
  })

  test('all leave when the queue is closed', async () => {
    const { turns, enter, end, refused } = turnsOf({ runningMax: 1 })
    for (const task of ['a1', 'a2', 'b1', 'a3']) await enter(task)
    turns.close()
    await end('a1')
    await enter('c1')
    expect(refused).toEqual(['a2', 'a3', 'b1', 'c1'].map((task) => `${task} Canceled`))
  })
})
