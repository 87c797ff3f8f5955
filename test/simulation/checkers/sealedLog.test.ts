import { expect, test } from 'vitest'
import { checkpointText } from '../../../capabilities/transparency/checkpoint.ts'
import { storedEntry } from '../../../capabilities/transparency/entry.ts'
import { signCheckpoint } from '../../../capabilities/transparency/note.ts'
import { SaltSecret } from '../../../capabilities/transparency/saltSecret.ts'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { charged } from '../../support/events/ledgerEvents.ts'
import { ORIGIN, testSigningKeys } from '../../support/transparency/sealedTransparencyLog.ts'
import type { StoredEvent } from './events.ts'
import { verifierKey } from './log/note.ts'
import { leafOf, rootOf, tilesOf } from './log/tree.ts'
import { type StoredLog, sealedOf } from './sealedLog.ts'
import { storedStream } from './storedStream.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const SECRET = Buffer.alloc(32, 1)
/** One tile is full, the next one is not. */
const ENTRIES = 260
const SIGNED_MS = Date.UTC(2026, 2, 10)

const key = verifierKey(testSigningKeys.of(ORIGIN)[0]?.vkey ?? '')
const ledger = storedStream(
  `ledger-${COMPANY}`,
  ...Array.from({ length: ENTRIES }, () => charged(COMPANY, { provider: 'first', label: 'Zürich 東京 🚀' })),
)

/** A log as the product writes it, with checkpoints of these sizes. */
function sealed(sizes: readonly number[] = [3, 3, ENTRIES]): { log: StoredLog; events: StoredEvent[] } {
  let previous: Buffer | null = null
  const entries = ledger.map((event, number) => {
    const head = { number, previous: previous?.toString('base64') ?? null }
    const entry = storedEntry(event as unknown as RecordedEvent, head, new SaltSecret(SECRET))
    previous = entry
    return { entry: entry.toString('hex'), eventId: event.id, companyId: COMPANY, number, revision: event.revision }
  })
  const leaves = entries.map(({ entry }) => leafOf(Buffer.from(entry, 'hex')))
  const checkpoints = sizes.map((size, number) => {
    const root = rootOf(leaves.slice(0, size))
    const note = signCheckpoint(checkpointText({ origin: ORIGIN, size, root }), testSigningKeys.of(ORIGIN), SIGNED_MS)
    return { number: String(number), origin: ORIGIN, size, root: root.toString('hex'), note, signedMs: SIGNED_MS + 7 }
  })
  const published = checkpoints.map(({ size, note }) => ({
    type: 'CheckpointSigned' as const,
    data: {
      origin: ORIGIN,
      size,
      root: Buffer.alloc(32).toString('base64'),
      note,
      signedAt: '2026-03-10T00:00:00.000Z',
    },
  }))
  const tiles = tilesOf(leaves).map(({ level, index, hashes, groups }) => ({
    ...{ name: `${level}/${index}`, hashes: hashes.toString('hex') },
    groups: groups?.toString('hex') ?? null,
  }))
  const log = { entries, secrets: new Map([[COMPANY, SECRET.toString('hex')]]), tiles, checkpoints }
  return { log, events: [...ledger, ...storedStream('log-checkpoints', ...published)] }
}

const { log, events } = sealed()
const wrongIn = (changes: Partial<StoredLog>, stored = events, shown = new Map<string, string>()) =>
  sealedOf({ ...log, ...changes }, stored, shown, key)
const changed = <Item>(items: readonly Item[], at: number, change: Partial<Item>) =>
  items.map((item, index) => (index === at ? { ...item, ...change } : item))

test('the tree of RFC 6962 has the root that the product computes', () => {
  expect(wrongIn({})).toBeNull()
})

test('an entry that is missing, swapped or changed is found', () => {
  const [first, second, ...rest] = log.entries
  if (!first || !second) throw new Error('no entries')
  expect(wrongIn({ entries: log.entries.slice(1) })).toContain('entries of')
  expect(wrongIn({ entries: [second, first, ...rest] })).toContain('is of event')
  expect(wrongIn({ entries: changed(log.entries, 7, { entry: '00'.repeat(32) }) })).toContain('entry 7')
  expect(wrongIn({ entries: changed(log.entries, 7, { number: 8 }) })).toContain('is number 8')
})

test('an event that was changed after it was sealed is found', () => {
  const stored = events.map((event, index) =>
    index === 5 ? ({ ...event, data: { ...event.data, costMicros: '1' } } as StoredEvent) : event,
  )
  expect(wrongIn({}, stored)).toContain('entry 5')
})

test('a tile that is wrong or missing is found', () => {
  expect(wrongIn({ tiles: log.tiles.slice(1) })).toContain('tiles')
  expect(wrongIn({ tiles: changed(log.tiles, 1, { hashes: '' }) })).toContain('tile 0/1')
  expect(wrongIn({ tiles: changed(log.tiles, 0, { groups: null }) })).toContain('other groups')
})

test('a company without a secret is found', () => {
  expect(wrongIn({ secrets: new Map() })).toContain('no secret')
})

test('a checkpoint that shrinks, or of another tree, is found', () => {
  const shrunk = sealed([5, 3, ENTRIES])
  expect(sealedOf(shrunk.log, shrunk.events, new Map(), key)).toContain('fewer than the 5')
  const root = Buffer.alloc(32)
  const note = signCheckpoint(checkpointText({ origin: ORIGIN, size: 3, root }), testSigningKeys.of(ORIGIN), SIGNED_MS)
  expect(wrongIn({ checkpoints: changed(log.checkpoints, 1, { note }) })).toContain('another root')
  const short = sealed([3])
  expect(sealedOf(short.log, short.events, new Map(), key)).toContain('3 of 260')
})

test('a checkpoint with a wrong signature, or none, is found', () => {
  const note = log.checkpoints[1]?.note ?? ''
  const forged = note.replace(/A(?=[^\n]{4})/, 'B')
  expect(wrongIn({ checkpoints: changed(log.checkpoints, 1, { note: forged }) })).not.toBeNull()
  const unsigned = note.split('\n').slice(0, 5).join('\n')
  expect(wrongIn({ checkpoints: changed(log.checkpoints, 1, { note: unsigned }) })).toContain('not signed')
})

test('a checkpoint that was shown and is no longer there is found', () => {
  expect(wrongIn({}, events, new Map([['1', 'another note']]))).toContain('no longer the one that was shown')
})

test('a checkpoint that was not published is found', () => {
  expect(wrongIn({}, events.slice(0, -1))).toContain('are published')
})
