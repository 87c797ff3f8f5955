import type { Installation } from '../../capabilities/installation.ts'
import { requireNoOtherSaltSecret, restoreSaltSecrets } from '../../capabilities/transparency/savedSaltSecrets.ts'
import { isoTime, systemClock } from '../../platform/clock/clock.ts'
import { clearRestoreMark, markRestore } from '../../platform/postgres/restoreMark.ts'
import type { Database, Sql } from '../../projections/runner/ports.ts'
import type { BackupFacts } from '../backup/format.ts'
import { readBackup, readSecrets } from '../backup/readBackup.ts'
import { progressBar } from '../cli/progressBar.ts'
import type { NewOrigin } from './newOrigin.ts'
import { emptyAll, rebuildAll } from './rebuildAll.ts'
import { resetFeed } from './resetFeed.ts'
import { type Restored, restoreEvents } from './restoreEvents.ts'
import type { SavedTransparencyLog } from './savedTransparencyLog.ts'
import { startedOrigin, startOrigin, withStartedOrigin } from './startOrigin.ts'

export const READ_MODELS_WHEN = ['now', 'later'] as const
export type ReadModelsWhen = (typeof READ_MODELS_WHEN)[number]

export type RestoreRequest = {
  readonly file: string
  readonly facts: BackupFacts
  readonly transparencyLog: SavedTransparencyLog
  /** null: the log keeps its origin. */
  readonly newOrigin: NewOrigin | null
  /** The file of the newest published checkpoint. */
  readonly lastCheckpoint: string | null
  /** Whether to build the read models now or leave them to the next start. */
  readonly readModels: ReadModelsWhen
  readonly signal: AbortSignal
}

export type RestoredInstallation = Restored & {
  /** The origin that this or an earlier run of the restore started. */
  readonly startedOrigin: NewOrigin | null
  readonly tookMs: { readonly events: number; readonly readModels: number }
}

/** Restores a checked file: events, keys and log secrets, the origin of the log, and the read models. */
export async function restoreInstallation(
  engines: Installation,
  request: RestoreRequest,
): Promise<RestoredInstallation> {
  const { file, facts, transparencyLog, lastCheckpoint, signal } = request
  const readModelsLater = request.readModels === 'later'
  const { storeAsWritten: store, database } = engines
  const started = await startedOrigin(store, facts.sha256)
  const beganMs = systemClock.monotonicMs()
  const bar = progressBar('restore', facts.events)
  const restored = await restoreEvents({
    store,
    lines: withStartedOrigin(readBackup(file), started, transparencyLog.revision + 1),
    savedIdsAreUnique: facts.idsAreUnique,
    clock: systemClock,
    signal,
    beforeWriting: async () => {
      await requireSaltSecretsOf(file, database)
      await markRestore(database, { file, sha256: facts.sha256, lastCheckpoint, readModelsLater })
      await resetFeed(database)
    },
    onProgress: bar.update,
  }).finally(() => bar.end())
  const storedMs = systemClock.monotonicMs()
  for await (const { personalKeys, logSecrets } of readSecrets(file)) {
    signal.throwIfAborted()
    if (personalKeys.length > 0) await engines.personal.restoreKeys(personalKeys)
    if (logSecrets.length > 0) await restoreSaltSecrets(database, logSecrets)
  }
  const origin = started ? (started.data as NewOrigin) : request.newOrigin
  if (origin && !started) {
    const at = isoTime(systemClock.now())
    await startOrigin({ store, clock: systemClock }, origin, { sha256: facts.sha256, size: restored.logSize, at })
  }
  const current = origin?.origin ?? transparencyLog.origin
  if (current !== null) await publishOrigin(database, current, transparencyLog.revision + (origin ? 1 : 0))
  const readModelsMs = systemClock.monotonicMs()
  if (readModelsLater) await emptyAll(engines)
  else await rebuildAll(engines, signal)
  await clearRestoreMark(database)
  return {
    ...restored,
    found: restored.found - (started ? 1 : 0),
    startedOrigin: origin,
    tookMs: { events: storedMs - beganMs, readModels: systemClock.monotonicMs() - readModelsMs },
  }
}

/** A database with other log secrets is refused before the first event is written. Most have none. */
async function requireSaltSecretsOf(file: string, database: Database): Promise<void> {
  const any = await database.query('select 1 from platform.log_secrets limit 1')
  if (any.length === 0) return
  for await (const { logSecrets } of readSecrets(file)) await requireNoOtherSaltSecret(database, logSecrets)
}

/**
 * Sets the new origin of the log. The sealer also reads it from the store, but only after all earlier events: until
 * then checkpoints and keys of earlier origins would be served, which the restored log may contradict. `number` is the
 * revision from which the origin applies.
 */
export async function publishOrigin(sql: Sql, origin: string, number: number): Promise<void> {
  await sql.query('update ledger_log.progress set origin = $1, origin_number = $2', [origin, number])
}
