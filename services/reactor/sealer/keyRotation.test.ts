import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readKeyHistory } from '../../../capabilities/transparency/keyHistory.ts'
import { verifyRotation } from '../../../capabilities/transparency/keyRotation.ts'
import { openNote, signedAtMs, signNote } from '../../../capabilities/transparency/note.ts'
import { rebuildTransparency } from '../../../capabilities/transparency/sealing/rebuild.ts'
import { readProgress } from '../../../capabilities/transparency/sealing/tables.ts'
import { currentKeys, type SigningKeys } from '../../../capabilities/transparency/signingKeys.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import { parseVerifierKey, type SigningKey, signingKey } from '../../../platform/secrets/noteKeys.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { ORIGIN, SealedTransparencyLog } from '../../../test/support/transparency/sealedTransparencyLog.ts'

const [first, second, third] = [1, 2, 3].map((byte) => signingKey(ORIGIN, Buffer.alloc(32, byte))) as [
  SigningKey,
  SigningKey,
  SigningKey,
]
const keysOf = (...keys: [SigningKey, ...SigningKey[]]): SigningKeys => ({
  origin: ORIGIN,
  of: (name) => keys.map((key) => (name === ORIGIN ? key : signingKey(name, seedOf(key)))) as never,
})
const seedOf = ({ privateKey }: SigningKey) => privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)

let harness: PostgresStoreHarness
let transparencyLog: SealedTransparencyLog
const company = randomUUID()
beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
  transparencyLog = new SealedTransparencyLog(harness.database, harness.store)
})
afterEach(async () => {
  await transparencyLog.stop()
  await harness.close()
})

type Stored = { readonly type: string; readonly data: Record<string, unknown> }
const events = async () => (await transparencyLog.checkpoints()) as readonly Stored[]
const typesOf = async () => (await events()).map(({ type }) => type)
const isSignedBy = (note: unknown, { vkey }: SigningKey) => {
  try {
    return openNote(String(note), [parseVerifierKey(vkey)]) !== ''
  } catch {
    return false
  }
}

const boundTo = (target: object, name: string | symbol) => {
  const value = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}

/** Waits for this many events in the stream of checkpoints. */
const recorded = (count: number) =>
  transparencyLog.until(`${count} events are in the stream of checkpoints`, async () => {
    const found = await events()
    return found.length >= count && found
  })

async function signedBy(size: number, ...keys: [SigningKey, ...SigningKey[]]): Promise<void> {
  transparencyLog.keys = keysOf(...keys)
  await transparencyLog.charge(company, size)
  transparencyLog.start()
  await recorded(1)
  await transparencyLog.stop()
}

async function restart(...keys: [SigningKey, ...SigningKey[]]): Promise<void> {
  await transparencyLog.stop()
  transparencyLog.keys = keysOf(...keys)
  transparencyLog.start()
}

const keyFault = () =>
  transparencyLog.until('the fault of the key', async () => (await readProgress(transparencyLog.database)).keyFault)
test('a checkpoint says when it was signed, under the key that signs it', async () => {
  await signedBy(3, first)
  const [checkpoint] = await events()
  const { note, signedAt } = checkpoint?.data ?? {}
  const atMs = signedAtMs(String(note), [parseVerifierKey(first.vkey)])
  expect(atMs).toBe(Math.floor(Date.parse(String(signedAt)) / 1000) * 1000)
  expect(signedAtMs(String(note), [parseVerifierKey(second.vkey)])).toBeNull()
})

describe('a new key before the old one', () => {
  test('is named by the old key in one event, and signs the same tree at once', async () => {
    await signedBy(3, first)
    await restart(second, first)
    const [, rotated, again, ...more] = await recorded(3)
    expect(more).toEqual([])
    expect(rotated).toMatchObject({
      type: 'LogKeyRotated',
      data: { origin: ORIGIN, oldVkey: first.vkey, newVkey: second.vkey, size: 3 },
    })
    const { note, ...rotation } = (rotated?.data ?? {}) as Parameters<typeof verifyRotation>[0] & { note: string }
    expect(() => verifyRotation(rotation, note)).not.toThrow()
    expect(again).toMatchObject({ type: 'CheckpointSigned', data: { size: 3 } })
    expect(isSignedBy(again?.data.note, second)).toBe(true)
    expect((await readKeyHistory(transparencyLog.database, ORIGIN)).rotations).toMatchObject([{ number: 1, note }])
  })

  test('is recorded once, whatever restarts and however many sealers there are', async () => {
    await signedBy(3, first)
    await restart(second, first)
    transparencyLog.start()
    await recorded(3)
    await restart(second, first)
    await transparencyLog.charge(company)
    await recorded(4)
    await restart(second)
    await transparencyLog.charge(company)
    await recorded(5)
    const rest = ['CheckpointSigned', 'CheckpointSigned', 'CheckpointSigned']
    expect(await typesOf()).toEqual(['CheckpointSigned', 'LogKeyRotated', ...rest])
  })

  test('signs after a restart if the sealer was killed between the rotation and its first checkpoint', async () => {
    await signedBy(3, first)
    transparencyLog.keys = keysOf(second, first)
    const { store } = transparencyLog
    const append: typeof store.append = async (stream, expected, events) => {
      if (events[0]?.type === 'CheckpointSigned') throw new Error('the process was killed')
      return store.append(stream, expected, events)
    }
    transparencyLog.start(
      new Proxy(store, { get: (target, name) => (name === 'append' ? append : boundTo(target, name)) }),
    )
    await recorded(2)
    await restart(second)
    const found = await recorded(3)
    expect(found.map(({ type }) => type)).toEqual(['CheckpointSigned', 'LogKeyRotated', 'CheckpointSigned'])
    expect(isSignedBy(found.at(-1)?.data.note, second)).toBe(true)
  })

  test('can itself be replaced, and the rebuilt log has all keys', async () => {
    await signedBy(3, first)
    await restart(second, first)
    await recorded(3)
    await restart(third, second)
    await recorded(5)
    await transparencyLog.stop()
    const { database, store, clock } = transparencyLog
    const before = await readKeyHistory(database, ORIGIN)
    await rebuildTransparency({ database, store, clock, ids: { uuid: randomUUID } as never })
    expect(await readKeyHistory(database, ORIGIN)).toEqual(before)
    expect((await currentKeys(database, keysOf(third))).vkeys).toEqual([third.vkey, second.vkey, first.vkey])
  })

  test('that signed with the old one before rotations were recorded is recorded now, while the old one is given', async () => {
    await signedBy(3, first)
    const [checkpoint] = await transparencyLog.checkpoints()
    if (!checkpoint) throw new Error('there is no checkpoint')
    const { id: _id, type, data, metadata } = checkpoint
    const text = String(data.note).slice(0, String(data.note).indexOf('\n\n') + 1)
    const untraced = { id: randomUUID(), type, data: { ...data, note: signNote(text, [second, first]) }, metadata }
    await transparencyLog.store.append(CHECKPOINTS_STREAM, 0, [untraced])
    await restart(second)
    await transparencyLog.charge(company)
    await recorded(3)
    expect((await readProgress(transparencyLog.database)).keyFault).toBeNull()
    await restart(second, first)
    const found = await recorded(4)
    expect(found[3]).toMatchObject({ type: 'LogKeyRotated', data: { oldVkey: first.vkey, size: 4 } })
  })
})

describe('a key unknown to readers', () => {
  test('signs nothing, and the fault says what to do', async () => {
    await signedBy(3, first)
    await restart(second)
    await transparencyLog.charge(company)
    expect(await keyFault()).toMatch(
      /which the readers of the log log\.example do not know.*LOG_SIGNING_KEY=<new>,<old>/,
    )
    expect(await typesOf()).toEqual(['CheckpointSigned'])
    expect((await currentKeys(transparencyLog.database, keysOf(second))).vkeys).toEqual([])
    await restart(second, first)
    await recorded(3)
    expect((await readProgress(transparencyLog.database)).keyFault).toBeNull()
  })

  test('may also be a set without the key that was named last', async () => {
    await signedBy(3, first)
    await restart(second, first)
    await recorded(3)
    await restart(third, first)
    expect(await keyFault()).toContain(`${second.vkey} is its key`)
    expect(await typesOf()).toHaveLength(3)
  })

  test('may also be a replaced key', async () => {
    await signedBy(3, first)
    await restart(second, first)
    await recorded(3)
    await restart(first, second)
    expect(await keyFault()).toMatch(/was replaced by .* put the newest key first/)
    expect(await typesOf()).toHaveLength(3)
  })

  test('may also be a key with the name of another origin', async () => {
    await signedBy(3, first)
    await transparencyLog.stop()
    transparencyLog.keys = { ...keysOf(first), origin: 'another.example' }
    transparencyLog.start()
    expect(await keyFault()).toContain(`set LOG_ORIGIN=${ORIGIN}`)
  })
})
