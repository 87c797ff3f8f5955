import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMMON_LEDGER_ID, type LedgerEvent } from '../contracts/events/ledger.ts'
import { propertyRuns } from '../test/support/cases/propertyRuns.ts'
import { anchored, charged } from '../test/support/events/ledgerEvents.ts'
import { KEY, SampleTransparencyLog } from '../test/support/transparency/sampleTransparencyLog.ts'
import { check, Malformed } from './check.mjs'

const COMPANY = '11111111-1111-4111-8111-111111111111'
/** Those that are escaped, or ordered, differently by units of UTF-8, UTF-16 and code points. */
const CHARACTER = fc.constantFrom(
  ...['a', 'B', '1', '_', '"', '\\', '/', '\r', '\u0000', '\u007f', '\u0080'],
  ...'öé€\u2028\ufb33😀',
)
const options = { vkeys: [KEY.vkey] }

test('the checker and the log agree on the entry of any data that an event can have', async () => {
  const json = fc.jsonValue({ stringUnit: CHARACTER, maxDepth: 2 })
  const data = fc.dictionary(fc.string({ unit: CHARACTER, maxLength: 8 }), json, { noNullPrototype: true, maxKeys: 6 })
  await fc.assert(
    fc.asyncProperty(data, async (fields) => {
      fc.pre(!('withheld' in fields))
      const transparencyLog = new SampleTransparencyLog()
      transparencyLog.append(COMPANY, {
        type: 'Anything',
        data: JSON.parse(JSON.stringify(fields)),
      } as unknown as LedgerEvent)
      transparencyLog.checkpoint()
      expect((await check(JSON.stringify(await transparencyLog.receipt(0)), options)).ok).toBe(true)
    }),
    { numRuns: propertyRuns({ few: 30, many: 150 }) },
  )
})

test('a receipt with one changed character is refused', async () => {
  const transparencyLog = new SampleTransparencyLog()
  transparencyLog.append(COMPANY, anchored(COMPANY))
  while (transparencyLog.size < 5) transparencyLog.append(COMPANY, charged(COMPANY, { provider: 'first' }))
  transparencyLog.checkpoint()
  const text = JSON.stringify(await transparencyLog.receipt(3))
  expect((await check(text, options)).ok).toBe(true)
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.string({ minLength: 0, maxLength: 1 }), async (at, char) => {
      const changed = text.slice(0, at) + char + text.slice(at + 1)
      fc.pre(!isSameJson(changed, text))
      const verdict = await check(changed, options).catch((error: unknown) => error)
      if (verdict instanceof Error) expect(verdict).toBeInstanceOf(Malformed)
      // Also a signature of an unknown key, which readers of notes ignore: the checkpoint is there twice, for both entries.
      else expect(verdict).toMatchObject({ ok: false })
    }),
    { numRuns: propertyRuns({ few: 200, many: 800 }) },
  )
})

test('a receipt with any value in the place of another one is refused, or malformed', async () => {
  const transparencyLog = new SampleTransparencyLog()
  transparencyLog.append(COMMON_LEDGER_ID, anchored(null))
  while (transparencyLog.size < 3) transparencyLog.append(COMPANY, charged(COMPANY, { provider: 'first' }))
  transparencyLog.checkpoint()
  const receipt = await transparencyLog.receipt(1)
  const places = [[], ...placesOf(receipt)]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 2 }), async (place, value) => {
      const changed = JSON.stringify(replaced(receipt, place, value))
      // Without its price book it is the receipt of a moment when no checkpoint covered the book.
      fc.pre(!isSameJson(changed, JSON.stringify(receipt)) && !(place.join() === 'book' && value === null))
      const verdict = await check(changed, options).catch((error: unknown) => error)
      if (verdict instanceof Error) expect(verdict).toBeInstanceOf(Malformed)
      else expect(verdict).toMatchObject({ ok: false })
    }),
    { numRuns: propertyRuns({ few: 200, many: 800 }) },
  )
})

/** The paths of all members below a value. */
function placesOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [[name], ...placesOf(member).map((rest) => [name, ...rest])])
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  const object = value as Record<string, unknown>
  return { ...object, [name]: replaced(object[name], rest, by) }
}

function isSameJson(a: string, b: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(a), JSON.parse(b))
  } catch {
    return false
  }
}

test('a receipt with something that is no text in any place is refused, or malformed', async () => {
  const transparencyLog = new SampleTransparencyLog()
  transparencyLog.append(COMMON_LEDGER_ID, anchored(null))
  transparencyLog.append(COMPANY, charged(COMPANY, { provider: 'first' }))
  transparencyLog.checkpoint()
  const receipt = await transparencyLog.receipt(1)
  for (const place of placesOf(receipt)) {
    const changed = JSON.stringify(replaced(receipt, place, { toString: null }))
    const verdict = await check(changed, options).catch((error: unknown) => error)
    if (verdict instanceof Error) expect([place, verdict]).toEqual([place, expect.any(Malformed)])
    else expect([place, verdict]).toMatchObject([place, { ok: false }])
  }
})
