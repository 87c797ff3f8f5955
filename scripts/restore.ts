import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Database } from '../projections/runner/ports.ts'
import { systemClock } from '../services/platform/clock/clock.ts'
import type { Engines } from '../services/platform/engines.ts'
import { clearRestoreMark, markRestore } from '../services/platform/postgres/restoreMark.ts'
import { requireNoOtherLogSecret, restoreLogSecrets } from '../services/platform/transparency/savedLogSecrets.ts'
import type { BackupFacts } from './backup/format.ts'
import { readBackup, readSecrets } from './backup/readBackup.ts'
import { stopSignal } from './backup/stopSignal.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { progressBar } from './cli/progressBar.ts'
import { checkBackup } from './restore/checkBackup.ts'
import { withExclusiveEngines } from './restore/exclusiveEngines.ts'
import { rebuildAll } from './restore/rebuildAll.ts'
import { resetFeed } from './restore/resetFeed.ts'
import { restoreEvents } from './restore/restoreEvents.ts'

const HELP = `npm run restore -- <file> [--check] [--json]

Restores the events of a backup into an empty event store of any kind and builds all read models from them. The whole
file is checked first: a file that is cut off, altered or not a backup is refused before anything is written, and so is
a store that holds other events. Personal data can be read again, except that of people who were erased.
An interrupted restore continues where it stopped when it is run again; until then, no service and no other command starts
on the installation.
Services must be stopped. A DATA_DIR without an installation gets one.

  --check   only checks that the file is complete and unaltered
  --json    prints one JSON document
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args,
      options: { json: { type: 'boolean' }, check: { type: 'boolean' } },
      allowPositionals: true,
    })
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new WrongUsage('the name of one file is required')
    const file = resolve(name)
    const print = (document: object, text: string) =>
      process.stdout.write(values.json ? `${JSON.stringify(document, null, 2)}\n` : text)

    const beganMs = systemClock.monotonicMs()
    if (process.stderr.isTTY) process.stderr.write(`Checking ${file}…\n`)
    const facts = await checkBackup(file)
    if (values.check) {
      const { events, position, createdAt, sha256 } = facts
      print(
        { file, ...facts },
        `${file} is complete and unaltered: ${events} events up to position ${position || '-'}, saved ${createdAt}; SHA-256 ${sha256}\n`,
      )
      return 0
    }
    const signal = stopSignal('run the restore again to continue')
    const restored = await withExclusiveEngines((engines) => restore(engines, file, facts, signal), signal)
    const seconds = Math.round(systemClock.monotonicMs() - beganMs) / 1000
    const { events, sha256 } = facts
    const notes = [
      restored.found > 0 ? `${restored.found} of them were already there` : '',
      restored.copies > 0 ? `${restored.copies} duplicates of the saved store were left out` : '',
    ].filter((note) => note !== '')
    print(
      { file, events, sha256, ...restored, seconds },
      `${[`${events} events restored and all read models built in ${seconds} s`, ...notes].join('; ')}\n`,
    )
    return 0
  },
})

async function restore(engines: Engines, file: string, facts: BackupFacts, signal: AbortSignal) {
  const bar = progressBar('restore', facts.events)
  const restored = await restoreEvents({
    store: engines.storeAsWritten,
    lines: readBackup(file),
    savedIdsAreUnique: facts.idsAreUnique,
    clock: systemClock,
    signal,
    beforeWriting: async () => {
      await requireLogSecretsOf(file, engines.database)
      await markRestore(engines.database, file, facts.sha256)
      await resetFeed(engines.database)
    },
    onProgress: bar.update,
  }).finally(() => bar.end())
  for await (const { personalKeys, logSecrets } of readSecrets(file)) {
    signal.throwIfAborted()
    if (personalKeys.length > 0) await engines.personal.restoreKeys(personalKeys)
    if (logSecrets.length > 0) await restoreLogSecrets(engines.database, logSecrets)
  }
  await rebuildAll(engines, signal)
  await clearRestoreMark(engines.database)
  return { ...restored, position: await engines.storeAsWritten.head() }
}

/** A database with other log secrets is refused before the first event is written. Most have none. */
async function requireLogSecretsOf(file: string, database: Database): Promise<void> {
  const any = await database.query('select 1 from platform.log_secrets limit 1')
  if (any.length === 0) return
  for await (const { logSecrets } of readSecrets(file)) await requireNoOtherLogSecret(database, logSecrets)
}
