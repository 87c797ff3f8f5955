import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../capabilities/transparency/hashes.ts'
import { signRotation } from '../capabilities/transparency/keyRotation.ts'
import { signNote } from '../capabilities/transparency/note.ts'
import { COMMON_LEDGER_ID } from '../contracts/events/ledger.ts'
import { signingKey } from '../platform/secrets/noteKeys.ts'
import { anchored, charged, granted, reversed } from '../test/support/events/ledgerEvents.ts'
import { KEY, OLD_KEY, ORIGIN, SampleTransparencyLog } from '../test/support/transparency/sampleTransparencyLog.ts'
import { check, command, FILE_BYTES_MAX, Malformed } from './check.mjs'

const [company, other] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const
const transparencyLog = new SampleTransparencyLog()
let older: string
let sameSize: string
type Receipt = Awaited<ReturnType<SampleTransparencyLog['receipt']>>
/** Of a charge, after some events of its company. */
let receipt: Receipt
const INDEX = 290
const OLDER_SIZE = 270

beforeAll(async () => {
  transparencyLog.append(company, granted(company))
  transparencyLog.append(COMMON_LEDGER_ID, anchored(null))
  for (let at = 2; at < OLDER_SIZE; at += 1)
    transparencyLog.append(at % 3 === 0 ? other : company, charged(at % 3 === 0 ? other : company))
  older = transparencyLog.checkpoint()
  const cost = { provider: 'first', costMicros: '12', costCurrency: 'usd' }
  while (transparencyLog.size < 300)
    transparencyLog.append(company, charged(company, transparencyLog.size === INDEX ? cost : {}))
  transparencyLog.append(company, reversed(charged(company)))
  sameSize = transparencyLog.checkpoint([KEY, OLD_KEY])
  receipt = await transparencyLog.receipt(INDEX, { since: OLDER_SIZE })
})

const options = { vkeys: [KEY.vkey] }
const failures = async (changed: unknown, more: Partial<Parameters<typeof check>[1]> = {}) => {
  const { ok, checks } = await check(JSON.stringify(changed), { ...options, ...more })
  const failed = checks.filter((done) => !done.ok)
  expect(ok).toBe(failed.length === 0)
  return failed.map(({ name }) => name)
}
const withData = (changes: Record<string, unknown>) => ({
  ...receipt,
  event: { ...receipt.event, data: { ...receipt.event.data, ...changes } },
})
const withEvent = (changes: Record<string, unknown>) => ({ ...receipt, event: { ...receipt.event, ...changes } })
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const nextTo = ([last = '']: string) => `${BASE64[BASE64.indexOf(last) + 1]}=`
/** With one signature, which is right, repeated until the checkpoint has this many. */
const withSignatures = (count: number) => {
  const [text = '', signatures = ''] = sameSize.split('\n\n')
  const [line = ''] = signatures.split('\n')
  return withProof((proof) => proof.replace(sameSize, `${text}\n\n${`${line}\n`.repeat(count)}`))
}
/** The proof of the price book has the same checkpoint. */
const withProof = (edit: (proof: string) => string) => {
  const proof = edit(receipt.proof)
  expect(proof).not.toBe(receipt.proof)
  return { ...receipt, proof, book: bookWith({ proof: `${partsOf(bookOf(receipt).proof)[0]}${partsOf(proof)[1]}` }) }
}
const partsOf = (proof: string) => {
  const end = proof.indexOf('\n\n')
  return [proof.slice(0, end), proof.slice(end)] as const
}
const bookOf = ({ book }: Receipt) => {
  if (book === null) throw new Error('the receipt has no price book')
  return book
}
const bookWith = (changes: Record<string, unknown>) => ({ ...bookOf(receipt), ...changes })

describe('checking a receipt', () => {
  test('every entry of the log passes, whatever its type and place', async () => {
    for (const index of [0, 1, 255, 256, OLDER_SIZE - 1, INDEX, 300]) {
      const result = await check(JSON.stringify(await transparencyLog.receipt(index)), options)
      if (result.kind !== 'receipt') throw new Error('this is a receipt')
      const { ok, checks, event } = result
      expect({ index, ok, id: event.id }).toEqual({ index, ok: true, id: transparencyLog.sources[index]?.event.id })
      expect(checks.map(({ name }) => name)).toEqual([
        ...(event.type === 'CallCharged' ? ['amount', 'price', 'book'] : []),
        ...['inclusion', 'signature'],
      ])
    }
  })

  test('an older checkpoint that the log has kept passes', async () => {
    expect(await failures(receipt, { since: older })).toEqual([])
    expect(await failures(receipt, { since: sameSize })).toEqual([])
  })

  test('says when the log signed it, under whichever key', async () => {
    for (const vkey of [KEY.vkey, OLD_KEY.vkey]) {
      const { checks } = await check(JSON.stringify(receipt), { vkeys: [vkey] })
      expect(checks.find(({ name }) => name === 'signature')?.detail).toMatch(/ at 2026-03-01T10:00:40\.000Z$/)
    }
    const untimed = signNote(sameSize.slice(0, sameSize.indexOf('\n\n') + 1), [KEY])
    expect(await failures(withProof((proof) => proof.replace(sameSize, untimed)))).toEqual([])
    expect(await failures(withSignatures(100))).toEqual([])
  })

  test('is refused if the time of its checkpoint was changed', async () => {
    const forged = sameSize.replaceAll(/^— (\S+) (\S+)$/gm, (line, name: string, text: string) => {
      const bytes = Buffer.from(text, 'base64')
      // The id, the time, of which this is the last byte, and the signature.
      bytes[11] = (bytes[11] ?? 0) ^ 1
      return bytes.length === 4 + 8 + 64 ? `— ${name} ${bytes.toString('base64')}` : line
    })
    expect(forged).not.toBe(sameSize)
    expect(await failures(withProof((proof) => proof.replace(sameSize, forged)))).toEqual(['signature'])
  })

  test('during a rotation either key is enough', async () => {
    for (const vkeys of [[OLD_KEY.vkey], [KEY.vkey], [OLD_KEY.vkey, KEY.vkey]]) {
      expect(await failures(receipt, { vkeys })).toEqual([])
    }
  })

  test('the order of names and spaces in the file do not matter', async () => {
    const reordered = Object.fromEntries(Object.entries(receipt.event).reverse())
    const { version, previous, salt, proof, book } = receipt
    const text = JSON.stringify({ book, proof, salt, version, previous, event: reordered }, null, 4)
    expect((await check(text, options)).ok).toBe(true)
  })
})

describe('with the keys that the log publishes', () => {
  const third = signingKey(ORIGIN, sha256('a third key'))
  const rotation = (from: typeof KEY, to: typeof KEY, size: number, rotatedAt = '2026-03-01T10:00:50.000Z') =>
    signRotation({ origin: ORIGIN, size, rotatedAt }, { from, to }).note
  const published = (...notes: string[]) => `${KEY.vkey}\n${notes.map((note) => `\n${note}`).join('')}`
  const signedBy = (...keys: (typeof KEY)[]) => {
    const text = sameSize.slice(0, sameSize.indexOf('\n\n') + 1)
    return withProof((proof) => proof.replace(sameSize, signNote(text, keys)))
  }
  let older: Receipt
  let newer: Receipt
  beforeAll(() => {
    older = signedBy(OLD_KEY)
    newer = signedBy(KEY)
  })

  test('a receipt of the old key passes with the new one, and the reverse', async () => {
    const keys = published(rotation(OLD_KEY, KEY, 301))
    expect(await failures(older, { vkeys: [KEY.vkey] })).toEqual(['signature'])
    expect(await failures(older, { vkeys: [KEY.vkey], keys })).toEqual([])
    expect(await failures(newer, { vkeys: [OLD_KEY.vkey], keys })).toEqual([])
    expect(
      await failures(older, {
        vkeys: [third.vkey],
        keys: published(rotation(KEY, third, 400), rotation(OLD_KEY, KEY, 301)),
      }),
    ).toEqual([])
    expect(await failures(older, { vkeys: [third.vkey], keys })).toEqual(['signature'])
  })

  test('the old key does not count for a larger tree than the log had when it was replaced', async () => {
    const keys = published(rotation(OLD_KEY, KEY, 300))
    for (const vkeys of [[KEY.vkey], [OLD_KEY.vkey], [KEY.vkey, OLD_KEY.vkey]]) {
      expect(await failures(older, { vkeys, keys })).toEqual(['signature'])
      expect(await failures(signedBy(KEY, OLD_KEY), { vkeys, keys })).toEqual([])
    }
  })

  test('a rotation that one of its keys has not signed is malformed, and so are two of one key', async () => {
    const [text = ''] = rotation(OLD_KEY, KEY, 301).split('\n\n')
    for (const signer of [OLD_KEY, KEY, third]) {
      const keys = published(signNote(`${text}\n`, [signer]))
      await expect(failures(older, { keys })).rejects.toThrow(Malformed)
    }
    const keys = published(rotation(OLD_KEY, KEY, 301), rotation(OLD_KEY, third, 301))
    await expect(failures(older, { keys })).rejects.toThrow('two successors')
    await expect(
      failures(older, { keys: published(rotation(OLD_KEY, KEY, 301).replace('size 301', 'size 999')) }),
    ).rejects.toThrow(Malformed)
  })
})

describe('a receipt has a version', () => {
  const malformed = (document: unknown) => check(JSON.stringify(document), options)

  test('and passes without one or with version 1, as receipts did before, and says that the price is not anchored', async () => {
    const { version, book: _, ...older } = receipt
    expect(version).toBe(2)
    for (const known of [older, { version: 1, ...older }]) {
      const { ok, checks } = await check(JSON.stringify(known), options)
      expect(ok).toBe(true)
      expect(checks.map(({ name, missing }) => [name, missing])).toEqual([
        ...[
          ['amount', undefined],
          ['price', true],
        ],
        ...[
          ['inclusion', undefined],
          ['signature', undefined],
        ],
      ])
      expect(checks[1]?.detail).toMatch(/^not anchored: a receipt of this version .* request it again/)
    }
  })

  test.for([3, 0, '1', '2', null, {}])('and is refused with the version %j, with what to do', async (version) => {
    await expect(malformed({ ...receipt, version })).rejects.toThrow(Malformed)
    await expect(malformed({ ...receipt, version })).rejects.toThrow(/a receipt of version .* get a newer checker/)
  })

  test('and is refused with a field that its version does not have', async () => {
    const { version: _, book, ...older } = receipt
    for (const known of [receipt, older]) {
      await expect(malformed({ ...known, paid: true })).rejects.toThrow('the receipt has a field "paid"')
    }
    await expect(malformed({ ...older, book })).rejects.toThrow('the receipt has a field "book"')
    await expect(malformed({ version: 2, ...older })).rejects.toThrow('the receipt has no field "book", not even null')
    await expect(malformed({ ...receipt, book: { ...book, paid: true } })).rejects.toThrow(
      /price book .* a field "paid"/,
    )
    await expect(malformed({ ...receipt, book: {} })).rejects.toThrow('the price book of the receipt is not an entry')
    const grant = await transparencyLog.receipt(0)
    await expect(malformed({ ...grant, book })).rejects.toThrow('has a price book, but is not of a charge')
  })

  test('and is refused if a name is repeated at any level, however it is written', async () => {
    const text = JSON.stringify(receipt)
    const repeated = [
      text.replace('{"version":2', '{"salt":"x","version":2'),
      text.replace('"data":{', '"data":{"amountMicros":"1",'),
      text.replace('"data":{', '"data":{"amount\\u004dicros":"1",'),
      text.replace('"event":{', '"event":{"id":"x",'),
    ]
    for (const changed of repeated) {
      expect(changed).not.toBe(text)
      await expect(check(changed, options)).rejects.toThrow(/^an object of the JSON has the name .* twice$/)
    }
  })
})

describe('a receipt is refused', () => {
  test('if a value stands for another one that has the same hash', async () => {
    expect(receipt.event.data).toMatchObject({ label: null })
    const text = JSON.stringify(receipt)
    for (const label of ['1e999', '-1e999', '"\\ud800"']) {
      const changed = text.replace('"label":null', `"label":${label}`)
      expect(changed).not.toBe(text)
      await expect(check(changed, options)).rejects.toThrow(Malformed)
    }
  })

  test('if the extra line of its proof is something else than a proof of consistency', async () => {
    const extra = (text: string) => withProof((proof) => proof.replace(/extra .*/, `extra ${btoa(text)}`))
    for (const text of ['hello', `consistency ${OLDER_SIZE}\nhello\n`, `consistency ${OLDER_SIZE}`]) {
      await expect(check(JSON.stringify(extra(text)), options)).rejects.toThrow(Malformed)
    }
  })

  test('if the amount is not what the tokens cost, also where the rest is untouched', async () => {
    expect(await failures(withData({ amountMicros: '51' }))).toEqual(['amount', 'inclusion'])
    const { price: _, ...data } = receipt.event.data
    const without = { ...receipt, event: { ...receipt.event, data } }
    expect(await failures(without)).toEqual(['amount', 'price', 'inclusion'])
  })

  test('if tokens and amount were changed together', async () => {
    const [input] = receipt.event.data.lines as object[]
    const lines = [input, { kind: 'output', count: 10, rate: '2000000', amountMicros: '20' }]
    expect(await failures(withData({ tokensOut: 10, amountMicros: '30', lines }))).toEqual(['inclusion'])
  })

  test.for([
    ['the id', { id: '33333333-3333-4333-8333-333333333333' }],
    ['the stream', { stream: `ledger-${other}` }],
    ['the number', { number: 0 }],
    ['the type', { type: 'CallRefunded' }],
    ['the time', { time: '2026-03-01T10:00:32.000Z' }],
  ])('if %s of the event was changed', async ([, change]) => {
    const { event } = withEvent(change as Record<string, unknown>)
    expect(await failures({ ...receipt, event, book: null })).toEqual(['inclusion'])
  })

  test('if a field was added, or the hash of the withheld fields was changed', async () => {
    expect(await failures(withData({ note: 'added' }))).toEqual(['inclusion'])
    expect(receipt.event.data).toHaveProperty('withheld')
    expect(await failures(withData({ withheld: receipt.salt }))).toEqual(['inclusion'])
  })

  test('if the previous entry or the salt is another one', async () => {
    expect(await failures({ ...receipt, previous: null })).toEqual(['inclusion'])
    expect(await failures({ ...receipt, salt: receipt.previous })).toEqual(['inclusion'])
  })

  test('if the proof is that of another entry, or was changed', async () => {
    const { proof } = await transparencyLog.receipt(INDEX - 1)
    expect(await failures({ ...receipt, proof })).toEqual(['inclusion'])
    expect(await failures(withProof((text) => text.replace(`index ${INDEX}`, `index ${INDEX + 1}`)))).toEqual([
      'inclusion',
    ])
    expect(await failures(withProof((text) => text.replace(`index ${INDEX}`, 'index 400')))).toEqual(['inclusion'])
    expect(await failures(withProof((text) => text.replace(/(index \d+\n).*\n/, '$1')))).toEqual(['inclusion'])
  })

  test('if the checkpoint was changed or is signed by no given key', async () => {
    expect(await failures(withProof((text) => text.replace('\n301\n', '\n302\n')))).toContain('signature')
    expect(await failures(receipt, { vkeys: [signingKey(ORIGIN, sha256('another')).vkey] })).toEqual(['signature'])
    expect(
      await failures(receipt, { vkeys: [signingKey('another.test', sha256('the key of the sample log')).vkey] }),
    ).toEqual(['signature'])
    expect(await failures(receipt, { vkeys: [] })).toEqual(['signature'])
  })

  test('if the checkpoint is signed only by a key with the name of another log', async () => {
    const foreign = signingKey('another.test', sha256('another'))
    const text = sameSize.slice(0, sameSize.indexOf('\n\n') + 1)
    const forged = withProof((proof) => proof.replace(sameSize, signNote(text, [foreign])))
    expect(await failures(forged, { vkeys: [foreign.vkey, KEY.vkey] })).toEqual(['signature'])
  })

  test('if the log has signed two trees of one size', async () => {
    const [origin, size] = sameSize.split('\n')
    const forked = signNote(`${origin}\n${size}\n${Buffer.from(sha256('x')).toString('base64')}\n`, [KEY])
    const { checks } = await check(JSON.stringify(receipt), { ...options, since: forked })
    expect(checks.at(-1)).toEqual({
      name: 'since',
      ok: false,
      detail: 'the log has signed two different trees of 301 entries',
    })
  })

  test('if the log has changed entries that an older checkpoint covers', async () => {
    const forked = signNote(`${ORIGIN}\n${OLDER_SIZE}\n${Buffer.from(sha256('x')).toString('base64')}\n`, [KEY])
    const { checks } = await check(JSON.stringify(receipt), { ...options, since: forked })
    expect(checks.at(-1)?.detail).toBe(`the log no longer contains the ${OLDER_SIZE} entries that it signed`)
  })

  test('if the older checkpoint is unsigned, of another log, or cannot be compared', async () => {
    expect(await failures(receipt, { since: older.replace(/\d+/, '9') })).toEqual(['since'])
    const foreign = signingKey('another.test', sha256('another'))
    const note = signNote(older.slice(0, older.indexOf('\n\n') + 1).replace(ORIGIN, 'another.test'), [foreign])
    expect(await failures(receipt, { since: note, vkeys: [KEY.vkey, foreign.vkey] })).toEqual(['since'])
    const without = await transparencyLog.receipt(INDEX)
    const { checks } = await check(JSON.stringify(without), { ...options, since: older })
    expect(checks.at(-1)?.detail).toContain(`request it again with since=${OLDER_SIZE}`)
  })
})

describe('the command', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-check-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }

  test('ends with 0 and says what was checked', async () => {
    const args = [file('receipt.json', JSON.stringify(receipt)), '--since', file('checkpoint', older)]
    const { code, out, error } = await command([...args, '--vkey', KEY.vkey], {})
    expect({ code, error }).toEqual({ code: 0, error: '' })
    expect(out).toMatch(
      /^CallCharged .*\nok {6}amount .*\nok {6}price .*\nok {6}book .*\nok {6}inclusion .*\nok {6}signature .*\nok {6}since .*\nverified\n$/,
    )
    expect((await command(args, { LOG_VKEY: KEY.vkey })).code).toBe(0)
    const json = JSON.parse((await command([...args, '--json'], { LOG_VKEY: KEY.vkey })).out)
    expect(json).toMatchObject({
      file: args[0],
      kind: 'receipt',
      ok: true,
      checks: [{ name: 'amount', ok: true }, {}, {}, {}, {}, {}],
    })
  })

  test('says what is absent', async () => {
    const without = file('without.json', JSON.stringify({ ...receipt, book: null }))
    const { code, out } = await command([without, '--vkey', KEY.vkey], {})
    expect(code).toBe(0)
    expect(out).toMatch(/\nabsent {2}price {6}not anchored: no checkpoint covered price book "9.* request it again.*\n/)
  })

  test('ends with 1 if something does not hold', async () => {
    const changed = file('changed.json', JSON.stringify(withData({ label: 'another team' })))
    const { code, out } = await command([changed, '--vkey', KEY.vkey], {})
    expect(code).toBe(1)
    expect(out).toMatch(/\nFAILED {2}inclusion .*\nok {6}signature .*\nNOT VERIFIED\n$/)
  })

  const malformed = (): [string, string][] => [
    ['no JSON', 'a receipt'],
    ['null', 'null'],
    ['another object', '{"event":{},"previous":null,"salt":"","proof":""}'],
    ['a field of the event that is not in the log', JSON.stringify(withEvent({ note: 'paid' }))],
    ['a salt of another length', JSON.stringify({ ...receipt, salt: 'YWJj' })],
    // The last character has two bits that no byte needs.
    ['a salt that is written another way', JSON.stringify({ ...receipt, salt: receipt.salt.replace(/.=$/, nextTo) })],
    ['no proof', JSON.stringify({ ...receipt, proof: 'x' })],
    ['no checkpoint', JSON.stringify(withProof((text) => text.slice(0, text.indexOf('\n\n') + 2)))],
    ['a hash that is cut', JSON.stringify(withProof((text) => text.replace(/(index \d+\n)..../, '$1')))],
  ]
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  /** Files that would take a call stack, or memory and time without a bound, and why they are refused. */
  const unbounded = (): [string, string, RegExp][] => [
    ['lists in lists', '['.repeat(1_000_000), /more than 64 levels/],
    ['objects in objects', `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`, /more than 64 levels/],
    ['data of too many levels', JSON.stringify(receipt).replace('"label":null', `"label":${nested(62)}`), /64 levels/],
    [
      'data of very many levels',
      JSON.stringify(receipt).replace('"label":null', `"label":${nested(20_000)}`),
      /levels/,
    ],
    ['a receipt that is too long', JSON.stringify(withData({ label: 'x'.repeat(5_000_000) })), /\d{7} characters/],
    ['too many values', `{"statement":[${'{},'.repeat(10_000_001)}{}]}`, /more than 10000000 values/],
    ['a string without an end', `{"event":"${'\\"'.repeat(1_000_000)}`, /not a receipt/],
    ['a right signature that is repeated', JSON.stringify(withSignatures(101)), /more than 100 signatures/],
  ]

  test('says that a statement was made before the log had an entry of its company', async () => {
    const head = { statement: 'tollgate/statement/v2', madeAt: '2026-03-10T10:00:40.717Z', companyId: company }
    const range = { from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z', first: 0, count: 1 }
    const balances = { openingMicros: '0', closingMicros: '1', previous: null, last: null, proven: null }
    const entries = [{ event: null, salt: null, balanceMicros: '1' }]
    const end = { totals: { byType: [], byAlias: [], byKey: [], byLabel: [] }, proof: null, note: '' }
    const text = JSON.stringify({ ...head, ...range, ...balances, entries, ...end })
    await expect(check(text, options)).rejects.toThrow('had no entry of the company yet: request it again')
  })

  test('ends with 1 for a file that is too long, of which nothing is read', async () => {
    const name = file('long', '')
    // A sparse file: it takes no space on the disk.
    truncateSync(name, FILE_BYTES_MAX + 1)
    const before = process.memoryUsage().arrayBuffers
    const { code, error } = await command([name, '--vkey', KEY.vkey], {})
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining(`more than ${FILE_BYTES_MAX} bytes`) })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(FILE_BYTES_MAX / 2)
    const good = file('good.json', JSON.stringify(receipt))
    const since = await command([good, '--vkey', KEY.vkey, '--since', name], {})
    expect(since).toMatchObject({ code: 1, error: expect.stringContaining('is not a checkpoint') })
  })

  test.skipIf(process.platform === 'win32')('ends with 1 for a device that has no end', async () => {
    const { code, error } = await command(['/dev/zero', '--vkey', KEY.vkey], {})
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining(`more than ${FILE_BYTES_MAX} bytes`) })
  })

  test('ends with 1 if the file is malformed, as one JSON document with --json', async () => {
    for (const [name, text] of malformed()) {
      const { code, out, error } = await command([file('malformed', text), '--json', '--vkey', KEY.vkey], {})
      expect({ name, code, ok: JSON.parse(out).ok }).toEqual({ name, code: 1, ok: false })
      expect(error).toContain('malformed')
    }
    for (const [name, text, reason] of unbounded()) {
      const { code, error } = await command([file('unbounded', text), '--json', '--vkey', KEY.vkey], {})
      expect({ name, code, error }).toEqual({ name, code: 1, error: expect.stringMatching(reason) })
    }
    const digits = file('digits', JSON.stringify(withData({ tokensIn: '9'.repeat(1_000_000) })))
    expect((await command([digits, '--vkey', KEY.vkey], {})).out).toMatch(/\nFAILED {2}amount /)
    const altered = KEY.vkey.replace('+', '+0').replace(/0(.{7})./, '0$1')
    expect((await command([file('r', JSON.stringify(receipt)), '--vkey', altered], {})).code).toBe(1)
  })

  test('ends with 2 if it is used wrongly', async () => {
    const good = file('good.json', JSON.stringify(receipt))
    const wrong = [
      [],
      [good],
      [good, good, '--vkey', KEY.vkey],
      [`${good}.missing`, '--vkey', KEY.vkey],
      [good, '--unknown'],
    ]
    for (const args of wrong) {
      const { code, out, error } = await command(args, {})
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' })
      expect(error).toContain('usage: npm run check -- <file>')
    }
    expect((await command(['--help'], {})).out).toContain('--since <file>')
  })
})
