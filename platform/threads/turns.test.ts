import { describe, expect, test } from 'vitest'
import { CompanyTurns, type TurnLimits } from './turns.ts'

const LIMITS: TurnLimits = { readersMax: 2, readersPerCompanyMax: 2, waitingMax: 8, waitingPerCompanyMax: 8 }

/** Documents that start in the order of their turns, and end when the test says so. */
function turnsOf(limits: Partial<TurnLimits> = {}) {
  const turns = new CompanyTurns({ ...LIMITS, ...limits })
  const started: string[] = []
  const refused: string[] = []
  const ends = new Map<string, () => void>()
  /** Lets the promises of this turn settle. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    turns,
    started,
    refused,
    /** The company is the letter of a document such as `a1`. */
    enter: async (document: string, signal?: AbortSignal) => {
      turns.enter(document.slice(0, 1), signal).then(
        (end) => {
          started.push(document)
          ends.set(document, end)
        },
        (error: Error) => refused.push(`${document} ${error.name}`),
      )
      await settle()
    },
    end: async (document: string) => {
      ends.get(document)?.()
      await settle()
    },
  }
}

describe('turns', () => {
  test('go to the companies one after the other, whatever their number of documents', async () => {
    const { enter, end, started } = turnsOf()
    for (const document of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2']) await enter(document)
    for (let n = 0; n < 8; n++) await end(started[n] ?? '')
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5'])
  })

  test('leave a place for other companies', async () => {
    const { enter, end, started } = turnsOf({ readersPerCompanyMax: 1 })
    for (const document of ['a1', 'a2', 'a3', 'b1']) await enter(document)
    expect(started).toEqual(['a1', 'b1'])
    await end('b1')
    expect(started).toEqual(['a1', 'b1'])
    await end('a1')
    expect(started).toEqual(['a1', 'b1', 'a2'])
  })
})

describe('a full queue', () => {
  test('refuses what a company sends beyond its own limit, and accepts others', async () => {
    const { enter, refused, started, end } = turnsOf({ waitingPerCompanyMax: 2 })
    for (const document of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) await enter(document)
    expect(refused).toEqual(['a5 ReadersBusy'])
    await end('a1')
    await end('a2')
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1'])
  })

  test('gives the place of the newest document of the company with the most to one with fewer', async () => {
    const { enter, refused, started, end } = turnsOf({ waitingMax: 3 })
    for (const document of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1']) await enter(document)
    expect(refused).toEqual(['a5 ReadersBusy', 'a4 ReadersBusy'])
    await enter('b2')
    expect(refused.slice(2)).toEqual(['b2 ReadersBusy'])
    for (let n = 0; n < 5; n++) await end(started[n] ?? '')
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1'])
  })
})

describe('a document that is no longer needed', () => {
  test('leaves the queue and costs its company no turn', async () => {
    const { enter, end, started, refused } = turnsOf({ readersMax: 1 })
    const leaving = new AbortController()
    await enter('a1')
    await enter('b1', leaving.signal)
    await enter('b2')
    await enter('c1')
    leaving.abort()
    for (let n = 0; n < 3; n++) await end(started[n] ?? '')
    expect(started).toEqual(['a1', 'b2', 'c1'])
    expect(refused).toEqual(['b1 ReadingCanceled'])
    await enter('a2', leaving.signal)
    expect(refused.at(-1)).toBe('a2 ReadingCanceled')
  })

  test('all leave when the queue is closed', async () => {
    const { turns, enter, end, refused } = turnsOf({ readersMax: 1 })
    for (const document of ['a1', 'a2', 'b1', 'a3']) await enter(document)
    turns.close()
    await end('a1')
    await enter('c1')
    expect(refused).toEqual(['a2', 'a3', 'b1', 'c1'].map((document) => `${document} ReadingCanceled`))
  })
})
