import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyMembers, objectText, spaces } from '../../../../test/support/cases/jsonTexts.ts'
import { listMembers as listUnlessTooDeep } from './jsonMembers.ts'

const listMembers = (...given: Parameters<typeof listUnlessTooDeep>) => listUnlessTooDeep(...given) ?? []

const seen = (json: Buffer, start = 0) =>
  listMembers(json, start).map(({ name, valueStart, valueEnd }) => [name, json.toString('utf8', valueStart, valueEnd)])

describe('listMembers', () => {
  it('gives names and the bytes of values', () => {
    const json = Buffer.from(' { "a" : [1, {"a": 2}] ,\n"b":"x\\"}", "é":-1.50E3 ,"c":null}\n')
    expect(seen(json)).toEqual([
      ['a', '[1, {"a": 2}]'],
      ['b', '"x\\"}"'],
      ['é', '-1.50E3'],
      ['c', 'null'],
    ])
  })

  it('points at the opening quote of the key', () => {
    const json = Buffer.from('{"é":1, "m\\u006fdel":2}')
    expect(listMembers(json).map(({ keyStart }) => keyStart)).toEqual([1, json.indexOf('"m')])
  })

  it('unescapes names and keeps repeated ones', () => {
    expect(seen(Buffer.from('{"model":1,"m\\u006fdel":2,"model":3}'))).toEqual([
      ['model', '1'],
      ['model', '2'],
      ['model', '3'],
    ])
  })

  it('reads a nested object from where it starts', () => {
    const json = Buffer.from('{"stream_options": {"a":{}, "b":[]}, "c":1}')
    const [options] = listMembers(json)
    expect(seen(json, options?.valueStart)).toEqual([
      ['a', '{}'],
      ['b', '[]'],
    ])
  })

  it('finds no members where there is no object', () => {
    for (const text of ['', '  ', '{}', '{ }', '[{"a":1}]', '"{"', '1', 'null'])
      expect(seen(Buffer.from(text))).toEqual([])
  })

  it('refuses a value nested a million deep', () => {
    const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`
    const json = Buffer.from(`{"a":${deep},"b":1}`)
    expect(listUnlessTooDeep(json)).toBeNull()
  })

  it('finds the end of a string whatever its length and its backslashes before the quote', () => {
    for (let length = 0; length < 140; length++) {
      for (let slashes = 0; slashes < 5; slashes++) {
        const value = JSON.stringify(`${'x'.repeat(length)}${'\\'.repeat(slashes)}"${'\\'.repeat(slashes)}`)
        expect(seen(Buffer.from(`{"a":${value},"b":1}`))).toEqual([
          ['a', value],
          ['b', '1'],
        ])
      }
    }
  })

  it('lists exactly the members that were written, for any JSON', () => {
    fc.assert(
      fc.property(spaces, anyMembers, spaces, (before, members, after) => {
        const json = Buffer.from(`${before}${objectText(members)}${after}`)
        JSON.parse(json.toString())
        expect(seen(json)).toEqual(members.map(({ key, value }) => [JSON.parse(key), value]))
      }),
    )
  })

  it('ends without throwing or overrunning on bytes that are not JSON', () => {
    const bits = fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'model', '"model"', ' ', 'u00', '1', '\n')
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 30 }), (pieces) => {
        const json = Buffer.from(`{${pieces.join('')}`)
        for (const { valueStart, valueEnd } of listMembers(json)) {
          expect(valueStart).toBeLessThanOrEqual(valueEnd)
          expect(valueEnd).toBeLessThanOrEqual(json.length)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
