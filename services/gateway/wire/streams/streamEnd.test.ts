import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReportedUsage } from '../usage/usageShape.ts'
import type { StreamChunk } from './streamChunk.ts'
import { createStreamGate } from './streamEnd.ts'

const chunk = (finishedChoices: number[], usage: ReportedUsage | null = null, others: number[] = []): StreamChunk => ({
  kind: 'chunk',
  choices: [...finishedChoices, ...others],
  finishedChoices,
  usage,
  deliveredChars: 0,
  error: false,
})
const delta = (...choices: number[]) => chunk([], null, choices)
const done: StreamChunk = { kind: 'done' }
const used = { tokensIn: 1, tokensOut: 2, parts: {}, units: {}, serviceTier: null, total: null }

function run(choices: number, chunks: (StreamChunk | null)[]) {
  const gate = createStreamGate({ choices })
  return { decisions: chunks.map((each) => gate.admit(each)), end: gate.end() }
}

describe('createStreamGate', () => {
  it('holds the event with the finish_reason and all after it', () => {
    const { decisions, end } = run(1, [null, delta(0), chunk([0]), null, chunk([], used), done])
    expect(decisions).toEqual(['pass', 'pass', 'hold', 'hold', 'hold', 'hold'])
    expect(end).toEqual({ usage: used, finished: true, sawDone: true })
  })

  it('holds the finish_reason of every choice, while the deltas and comments between the others pass', () => {
    const chunks = [delta(2), chunk([2]), delta(0), null, delta(1), chunk([0]), null, delta(1), chunk([1]), null]
    const decisions = 'pass hold pass pass pass hold pass pass hold hold'
    expect(run(3, chunks).decisions.join(' ')).toBe(decisions)
    expect(run(2, [chunk([1, 0])]).decisions).toEqual(['hold'])
  })

  it('holds what a choice sends after its finish_reason', () => {
    expect(run(2, [chunk([0]), delta(0), chunk([0]), delta(1)]).decisions).toEqual(['hold', 'hold', 'hold', 'pass'])
  })

  it('keeps the order of a choice that shares an event with one that is held', () => {
    expect(run(3, [chunk([0], null, [1]), delta(1), delta(2), delta(1, 2), delta(2)]).decisions).toEqual([
      ...['hold', 'hold', 'pass', 'hold', 'hold'],
    ])
  })

  it('holds an event without choices once a choice has finished', () => {
    expect(run(2, [chunk([], used), chunk([0]), chunk([], used), delta(1)]).decisions).toEqual([
      ...['pass', 'hold', 'hold', 'pass'],
    ])
  })

  it('is ending from the first finish_reason or [DONE] on', () => {
    const gate = createStreamGate({ choices: 2 })
    const ending = [delta(0), null, chunk([], used), chunk([1]), delta(0)].map((each) => {
      gate.admit(each)
      return gate.isEnding
    })
    expect(ending).toEqual([false, false, false, true, true])
    const cutShort = createStreamGate({ choices: 2 })
    cutShort.admit(done)
    expect(cutShort.isEnding).toBe(true)
  })

  it('always holds [DONE], and what follows it', () => {
    const { decisions, end } = run(2, [chunk([0]), done, delta(1), null])
    expect(decisions).toEqual(['hold', 'hold', 'hold', 'hold'])
    expect(end).toEqual({ usage: null, finished: false, sawDone: true })
  })

  it('remembers the last usage block, wherever it stood', () => {
    const later = { ...used, tokensOut: 9 }
    expect(run(1, [chunk([], used), chunk([], later), chunk([0])]).end.usage).toEqual(later)
    expect(run(1, [chunk([0], used), chunk([]), done]).end.usage).toEqual(used)
  })

  it('reports a stream that was cut', () => {
    expect(run(1, [chunk([]), { kind: 'invalid' }])).toEqual({
      decisions: ['pass', 'pass'],
      end: { usage: null, finished: false, sawDone: false },
    })
  })

  it('passes no finish_reason, and nothing of a choice of which it holds something', () => {
    const index = fc.nat({ max: 4 })
    const events = fc.oneof(
      fc.constantFrom<StreamChunk | null>(null, done, { kind: 'invalid' }, chunk([], used)),
      fc
        .tuple(fc.array(index, { maxLength: 2 }), fc.array(index, { maxLength: 2 }))
        .map(([finished, others]) => chunk(finished, null, others)),
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(events), (choices, chunks) => {
        const { decisions, end } = run(choices, chunks)
        const held = new Set<number>()
        for (const [n, each] of chunks.entries()) {
          if (each?.kind !== 'chunk') continue
          if (decisions[n] === 'pass') {
            expect(each.finishedChoices).toEqual([])
            expect(each.choices.filter((choice) => held.has(choice))).toEqual([])
          } else {
            for (const choice of each.choices) held.add(choice)
          }
        }
        const isOver = end.finished || end.sawDone
        expect(decisions.at(-1) === 'hold' || !isOver).toBe(true)
      }),
    )
  })
})
