import { describe, expect, test } from 'vitest'
import { JSON_DEPTH_MAX, type JsonLimits, JsonScan, jsonExcess } from './jsonScan.ts'

const LIMITS = { valuesMax: 10, membersMax: 5 }
const excessOf = (json: string, limits: JsonLimits = LIMITS) => jsonExcess(Buffer.from(json), limits)

describe('jsonExcess', () => {
  test.each([
    ['deepest arrays allowed', '['.repeat(JSON_DEPTH_MAX) + ']'.repeat(JSON_DEPTH_MAX)],
    ['deepest objects allowed', '{"a":'.repeat(JSON_DEPTH_MAX)],
  ])('accepts the %s, and nothing deeper', (_, json) => {
    const limits = { valuesMax: 1_000 }
    expect(excessOf(json, limits)).toBeNull()
    expect(excessOf(`[${json}`, limits)).toBe('too deep')
  })

  test('counts values of arrays and objects together', () => {
    expect(excessOf('[[1,2,3],[4,5,6]]')).toBeNull()
    expect(excessOf('[1,2,3,4,5,6,7,8,9,10]')).toBeNull()
    expect(excessOf('[1,2,3,4,5,6,7,8,9,10,11]')).toBe('too many values')
    expect(excessOf('[[],[],[],[],[],[]]')).toBe('too many values')
  })

  test('counts members by a limit of their own', () => {
    expect(excessOf('{"a":1,"b":2,"c":3,"d":4,"e":5}')).toBeNull()
    expect(excessOf('{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}')).toBe('too many values')
    expect(excessOf('{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', { valuesMax: 10 })).toBeNull()
  })

  test('counts nothing inside strings, whatever they escape', () => {
    expect(excessOf(`["${'[,:{'.repeat(100)}"]`)).toBeNull()
    expect(excessOf(`["${'\\"['.repeat(200)}"]`)).toBeNull()
    expect(excessOf(`["${'\\\\'.repeat(200)}",1]`)).toBeNull()
    expect(excessOf(`["\\\\",1,2,3,4,5,6,7,8,9,10]`)).toBe('too many values')
  })
})

test('JsonScan reaches the same verdict however the bytes are cut', () => {
  const long = 'x'.repeat(200)
  const json = Buffer.from(`{"a\\"[${long}\\\\":["\\\\",{"b":"\\u005b"},1,2,3,4,5],"c":"é[[[[${long}\\"[${long}"}`)
  for (const valuesMax of [9, 10, 11]) {
    const whole = jsonExcess(json, { valuesMax })
    expect(whole).toBe(valuesMax < 10 ? 'too many values' : null)
    for (let cut = 0; cut <= json.length; cut++) {
      const scan = new JsonScan({ valuesMax })
      expect(scan.push(json.subarray(0, cut)) ?? scan.push(json.subarray(cut))).toBe(whole)
    }
    const scan = new JsonScan({ valuesMax })
    const verdicts = [...json].map((byte) => scan.push(Buffer.from([byte])))
    expect(verdicts.find((verdict) => verdict !== null) ?? null).toBe(whole)
  }
})
