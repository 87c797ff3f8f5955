import { describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { entryOf, entrySource, storedEntry } from './entry.ts'
import { sha256 } from './hashes.ts'
import { SaltSecret } from './saltSecret.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const secret = new SaltSecret(sha256('a secret'))
const first = { number: 0, previous: null }

/** A charge as version 2 stored it. Entries are of events as they are stored. */
const CHARGE = {
  ...{ companyId: COMPANY, callId: COMPANY, keyId: COMPANY, alias: 'svc/chat-default', endpoint: '/chat/completions' },
  ...{ streamed: false, admittedAt: '2026-03-01T10:00:29.000Z', finishedAt: '2026-03-01T10:00:30.000Z', label: null },
  ...{ provider: 'first', costMicros: '12', costCurrency: 'usd', tokensCached: null, tokensCacheWrite: null },
  ...{ tokensIn: 10, tokensOut: 20, amountMicros: '50' },
  price: {
    bookId: '99999999-9999-4999-8999-999999999999',
    ...{ inputMicrosPerMillionTokens: '1000000', outputMicrosPerMillionTokens: '2000000' },
  },
}

function stored(changes: Partial<RecordedEvent> = {}): RecordedEvent {
  const envelope = {
    stream: `ledger-${COMPANY}`,
    revision: 7,
    position: BEGINNING,
    recordedAt: '2026-03-01T10:00:31.000Z',
  }
  return { ...anEvent(CHARGE, COMPANY, 'CallCharged'), ...envelope, ...changes }
}
const entry = (event: RecordedEvent, chain: Parameters<typeof entrySource>[1] = first, of = secret) =>
  Buffer.from(entryOf(entrySource(event, chain, of))).toString('hex')

describe('an entry of the log', () => {
  test('stays the same in every later version, because checkpoints were signed over it', () => {
    expect(entry(stored())).toBe('ef9f546b392adde60844d02dd2cfb9fe1fc20f42f6b3cf93df3e6ec8a62de548')
    expect(Buffer.from(secret.saltOf(COMPANY), 'latin1').toString('hex')).toBe(
      '60d1047932f14a1eb332f5a1fa84994701018326ddfafe2cc2dce2e1f1f84a15',
    )
  })

  test('is the hash of prefix, salt and canonical JSON', () => {
    const { event, salt } = entrySource(stored(), first, secret)
    const { data } = event
    const members = Object.keys(data)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${JSON.stringify(data[name])}`)
    const text =
      `{"data":{${members.join(',')}},"id":"${COMPANY}","number":0,"previous":null,` +
      `"stream":"ledger-${COMPANY}","time":"2026-03-01T10:00:31.000Z","type":"CallCharged"}`
    const expected = sha256(Buffer.concat([Buffer.from('tollgate/leaf/v1\n'), salt, Buffer.from(text)]))
    expect(entry(stored())).toBe(Buffer.from(expected).toString('hex'))
  })

  test('of an event that is longer than the usual buffer is the same hash', () => {
    const data = { reason: '€'.repeat(20_000) }
    const { salt } = entrySource(stored({ data }), first, secret)
    const text =
      `{"data":{"reason":"${data.reason}"},"id":"${COMPANY}","number":0,"previous":null,` +
      `"stream":"ledger-${COMPANY}","time":"2026-03-01T10:00:31.000Z","type":"CallCharged"}`
    const expected = sha256(Buffer.concat([Buffer.from('tollgate/leaf/v1\n'), salt, Buffer.from(text)]))
    expect(entry(stored({ data }))).toBe(Buffer.from(expected).toString('hex'))
  })

  const changes: [string, Partial<RecordedEvent>][] = [
    ['the stream', { stream: 'ledger-22222222-2222-4222-8222-222222222222' }],
    ['the id', { id: '22222222-2222-4222-8222-222222222222' }],
    ['the type', { type: 'CallFailed' }],
    ['the time', { recordedAt: '2026-03-01T10:00:31.001Z' }],
    ['the data', { data: { ...stored().data, amountMicros: '51' } }],
    ['a member named __proto__', { data: { ...stored().data, ...JSON.parse('{"__proto__":{"amountMicros":"1"}}') } }],
    ['the provider', { data: { ...stored().data, provider: 'second' } }],
    ['the cost', { data: { ...stored().data, costMicros: '13' } }],
    ['the currency of the cost', { data: { ...stored().data, costCurrency: 'eur' } }],
  ]
  test.for(changes)('depends on %s', ([, change]) => {
    expect(entry(stored(change))).not.toBe(entry(stored()))
  })

  test('depends on its number, on the previous entry and on the secret of the company', () => {
    const entries = [
      entry(stored()),
      entry(stored(), { number: 1, previous: null }),
      entry(stored(), { number: 0, previous: sha256('another') }),
      entry(stored(), first, new SaltSecret(sha256('another'))),
    ]
    expect(new Set(entries).size).toBe(entries.length)
  })

  test('is the same after a restore, which changes revision, position and the time of storage', () => {
    const metadata = { ...stored().metadata, recordedAt: stored().recordedAt }
    const restored = stored({ revision: 9, position: '12' as RecordedEvent['position'], recordedAt: 'later', metadata })
    expect(entry(restored)).toBe(entry(stored()))
  })

  test('shows provider and cost only as a hash, whose salt the receipt does not reveal', () => {
    const { event, salt } = entrySource(stored(), first, secret)
    expect(Object.keys(event.data)).not.toEqual(expect.arrayContaining(['provider']))
    expect(JSON.stringify(event)).not.toMatch(/first|usd|costMicros/)
    const fields = '{"costCurrency":"usd","costMicros":"12","provider":"first"}'
    const guess = sha256(Buffer.concat([Buffer.from('tollgate/withheld/v1\n'), salt, Buffer.from(fields)]))
    expect(event.data.withheld).not.toBe(Buffer.from(guess).toString('base64'))
    const own = Buffer.from(secret.withheldSaltOf(COMPANY), 'latin1')
    const known = sha256(Buffer.concat([Buffer.from('tollgate/withheld/v1\n'), own, Buffer.from(fields)]))
    expect(event.data.withheld).toBe(Buffer.from(known).toString('base64'))
  })

  test('shows events without provider and cost as they are stored', () => {
    const data = { companyId: COMPANY, amountMicros: '5' }
    expect(entrySource(stored({ data }), first, secret).event.data).toEqual(data)
  })

  test.for([
    ['the first one', null],
    ['a later one', sha256('another')],
  ] as const)('is computed from a stored event as from what a receipt shows: %s', ([, previous]) => {
    const shapes = [
      stored().data,
      { companyId: COMPANY, reason: '"€"' },
      {},
      { provider: 'first' },
      { zone: { b: 1, a: [null, true] }, costMicros: '12', amountMicros: '5' },
    ]
    for (const data of shapes) {
      const event = stored({ data })
      const head = { number: 3, previous: previous?.toString('base64') ?? null }
      expect(storedEntry(event, head, secret)).toEqual(entryOf(entrySource(event, { number: 3, previous }, secret)))
    }
  })

  test('refuses an event with a field of its own named withheld', () => {
    const data = { ...stored().data, withheld: 'x' }
    expect(() => entrySource(stored({ data }), first, secret)).toThrow('withheld')
  })
})
