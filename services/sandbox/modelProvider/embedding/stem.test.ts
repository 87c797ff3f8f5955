import { describe, expect, it } from 'vitest'
import { stem } from './stem.ts'

describe('stem', () => {
  it.each([
    ['stop', 'stops', 'stopped', 'stopping'],
    ['company', 'companies'],
    ['move', 'moved', 'moving', 'moves'],
    ['train', 'trained', 'training', 'trains'],
    ['pay', 'paid', 'paying', 'payment', 'payments'],
    ['child', 'children'],
    ['write', 'wrote', 'written', 'writes', 'writing'],
    ['quick', 'quickly'],
    ['adapt', 'adaptation', 'adaptations'],
  ])('all forms of %s have the same stem', (...forms) => {
    expect(new Set(forms.map(stem)).size, forms.map(stem).join(' ')).toBe(1)
  })

  it.each([
    ['bus', 'bu'],
    ['glass', 'glas'],
    ['ring', 'r'],
    ['red', 'r'],
    ['this', 'thi'],
  ])('the stem of %s is not cut too short', (word, broken) => {
    expect(stem(word)).not.toBe(broken)
  })
})
