import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { restoreSaltSecrets, saltSecretPages } from '../../../capabilities/transparency/savedSaltSecrets.ts'
import { rebuildTransparency } from '../../../capabilities/transparency/sealing/rebuild.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { readBackup, readSecrets } from '../../../scripts/backup/readBackup.ts'
import { writeBackup } from '../../../scripts/backup/writeBackup.ts'
import { restoreEvents } from '../../../scripts/restore/restoreEvents.ts'
import { startOrigin } from '../../../scripts/restore/startOrigin.ts'
import { ORIGIN, type SealedTransparencyLog } from './sealedTransparencyLog.ts'

const COMPANIES = Array.from({ length: 4 }, () => randomUUID())
/** Smaller than the history, so that a restore can be interrupted between two of them. */
const BATCH_EVENTS = 16
/** Smaller than a batch, within which a restore may change the order. */
const SCRUB_PAGE_EVENTS = 5

/**
 * Moves a log from the first store to the second and on to the third, with interrupted restores, new origins and new
 * events between them. Every sealer must meet all checkpoints before it signs its own.
 */
export async function moveTransparencyLogThrough(
  first: SealedTransparencyLog,
  second: SealedTransparencyLog,
  third: SealedTransparencyLog,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-log-'))
  try {
    await chargeInTurn(first, 6)
    first.start()
    await first.signed(36)
    await chargeInTurn(first, 2)
    await first.signed(48)
    await first.stop()
    // These are in no checkpoint of the first log.
    await chargeInTurn(first, 1)

    await move(first, second, `${ORIGIN}/r1`, folder)
    second.start()
    await second.signed(54, `${ORIGIN}/r1`)
    expect((await second.entries()).slice(0, 48)).toEqual(await first.entries())
    expect(await second.scrub()).toEqual({ entries: 54 })
    expect(await second.scrubFromEverywhere(SCRUB_PAGE_EVENTS)).toBeGreaterThan(1)
    await chargeInTurn(second, 2)
    await second.signed(66, `${ORIGIN}/r1`)
    await second.stop()
    await rebuild(second, 66)

    await move(second, third, `${ORIGIN}/r2`, folder)
    await chargeInTurn(third, 1)
    third.start()
    await third.signed(72, `${ORIGIN}/r2`)
    expect((await third.entries()).slice(0, 66)).toEqual(await second.entries())
    expect(await third.scrub()).toEqual({ entries: 72 })
    expect(await third.scrubFromEverywhere(SCRUB_PAGE_EVENTS)).toBeGreaterThan(1)
    await third.stop()
    await rebuild(third, 72)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A rebuild fails if the store does not give every checkpoint that was signed, of whatever origin. */
async function rebuild(transparencyLog: SealedTransparencyLog, size: number): Promise<void> {
  const { database, store } = transparencyLog
  const entries = await transparencyLog.entries()
  const signed = (await transparencyLog.checkpoints()).filter(({ type }) => type === 'CheckpointSigned')
  const rebuilt = await rebuildTransparency({ database, store, clock: systemClock, ids: systemIds })
  expect(rebuilt).toMatchObject({ size, checkpoints: signed.length })
  expect(await transparencyLog.entries()).toEqual(entries)
}

/** Charges of several companies in turn, six a round, so that a restore into EventStoreDB changes their order. */
async function chargeInTurn(transparencyLog: SealedTransparencyLog, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const [n, companyId] of COMPANIES.entries()) await transparencyLog.charge(companyId, 1 + (n % 2))
  }
}

/** Moves the log to another store: a backup, a restore that is interrupted several times, and a new origin. */
async function move(
  from: SealedTransparencyLog,
  to: SealedTransparencyLog,
  origin: string,
  folder: string,
): Promise<void> {
  const file = join(folder, `${origin.replaceAll('/', '-')}.gz`)
  const { signal } = new AbortController()
  const facts = await writeBackup({
    store: from.store,
    secretPages: saltSecretPages(from.database, 3),
    to: createWriteStream(file),
    createdAt: '2026-03-01T00:00:00.000Z',
    signal,
    onProgress: () => {},
  })
  const restore = (stopAfter: number) => {
    const stopping = new AbortController()
    return restoreEvents({
      store: to.store,
      lines: readBackup(file),
      savedIdsAreUnique: facts.idsAreUnique,
      batchEventsMax: BATCH_EVENTS,
      clock: systemClock,
      signal: stopping.signal,
      beforeWriting: async () => {},
      onProgress: (events) => events >= stopAfter && stopping.abort(new Error('interrupted')),
    })
  }
  for (const stopAfter of [1, BATCH_EVENTS + 1]) await expect(restore(stopAfter)).rejects.toThrow('interrupted')
  const { logSize: size } = await restore(Number.POSITIVE_INFINITY)
  for await (const { logSecrets } of readSecrets(file)) await restoreSaltSecrets(to.database, logSecrets)
  const at = '2026-03-01T00:00:00.000Z'
  const { sha256 } = facts
  await startOrigin({ store: to.store, clock: systemClock }, { origin, reason: 'restored' }, { sha256, size, at })
}
