import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamChunk } from './streamChunk.ts'
import { createStreamGate } from './streamEnd.ts'
import type { Usage } from './usage.ts'

const chunk = (finishedChoices: number[], usage: Usage | null = null): StreamChunk => ({
  kind: 'chunk',
  finishedChoices,
  usage,
  deliveredChars: 0,
  error: false,
})
const done: StreamChunk = { kind: 'done' }
const used = { tokensIn: 1, tokensOut: 2, tokensCached: null, tokensCacheWrite: null }

function run(choices: number, chunks: (StreamChunk | null)[]) {
  const gate = createStreamGate({ choices })
  return { told: chunks.map((each) => gate.admit(each)), end: gate.end() }
}

describe('createStreamGate', () => {
  it('holds the event with the finish_reason and all after it', () => {
    const { told, end } = run(1, [null, chunk([]), chunk([0]), null, chunk([], used), done])
    expect(told).toEqual(['pass', 'pass', 'hold', 'hold', 'hold', 'hold'])
    expect(end).toEqual({ usage: used, finished: true, sawDone: true })
  })

  it('waits for the last of several choices, in any order and also in one event', () => {
    expect(run(3, [chunk([2]), chunk([2]), chunk([0]), chunk([]), chunk([1])]).told).toEqual([
      'pass',
      'pass',
      'pass',
      'pass',
      'hold',
    ])
    expect(run(2, [chunk([1, 0])]).told).toEqual(['hold'])
  })

  it('always holds [DONE], and what follows it', () => {
    const { told, end } = run(2, [chunk([0]), done, chunk([]), null])
    expect(told).toEqual(['pass', 'hold', 'hold', 'hold'])
    expect(end).toEqual({ usage: null, finished: false, sawDone: true })
  })

  it('remembers the last usage block, wherever it stood', () => {
    const later = { ...used, tokensOut: 9 }
    expect(run(1, [chunk([], used), chunk([], later), chunk([0])]).end.usage).toEqual(later)
    expect(run(1, [chunk([0], used), chunk([]), done]).end.usage).toEqual(used)
  })

  it('reports a stream that was cut', () => {
    expect(run(1, [chunk([]), { kind: 'invalid' }])).toEqual({
      told: ['pass', 'pass'],
      end: { usage: null, finished: false, sawDone: false },
    })
  })

  it('never passes anything on after it held something', () => {
    const events = fc.oneof(
      fc.constantFrom<StreamChunk | null>(null, done, { kind: 'invalid' }, chunk([], used)),
      fc.array(fc.nat({ max: 4 }), { maxLength: 2 }).map((finished) => chunk(finished)),
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(events), (choices, chunks) => {
        const { told, end } = run(choices, chunks)
        expect(told.join(' ')).toMatch(/^(pass ?)*(hold ?)*$/)
        expect(end.finished || end.sawDone).toBe(told.includes('hold'))
      }),
    )
  })
})
