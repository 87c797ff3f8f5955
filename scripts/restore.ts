import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../services/platform/clock/clock.ts'
import type { Engines } from '../services/platform/engines.ts'
import type { BackupFacts } from './backup/format.ts'
import { readBackup, readKeys } from './backup/readBackup.ts'
import { stopSignal } from './backup/stopSignal.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { progressBar } from './cli/progressBar.ts'
import { checkBackup } from './restore/checkBackup.ts'
import { withExclusiveEngines } from './restore/exclusiveEngines.ts'
import { rebuildAll } from './restore/rebuildAll.ts'
import { resetFeed } from './restore/resetFeed.ts'
import { restoreEvents } from './restore/restoreEvents.ts'

const HELP = `npm run restore -- <file> [--check] [--json]

Brings the events of a backup back into an empty event store, whichever it is, and builds all read models from them. The
file is read through first: one that is cut off, altered or no backup is refused before anything is written, and so is a
store that holds other events. What was sealed about people can be read again, except about those who were erased. A restore that was interrupted is run again and goes on where it stopped.
Services must be stopped. A DATA_DIR that has no installation yet gets one.

  --check   only tells whether the file is as it was written
  --json    one JSON document
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
    if (name === undefined || positionals.length > 1) throw new WrongUsage('name one file to read')
    const file = resolve(name)
    const tell = (document: object, text: string) =>
      process.stdout.write(values.json ? `${JSON.stringify(document, null, 2)}\n` : text)

    const began = performance.now()
    if (process.stderr.isTTY) process.stderr.write(`Reading ${file} through…\n`)
    const facts = await checkBackup(file)
    if (values.check) {
      const { events, position, createdAt, sha256 } = facts
      tell(
        { file, ...facts },
        `${file} is whole: ${events} events, to position ${position || '-'}, saved ${createdAt}; SHA-256 ${sha256}\n`,
      )
      return 0
    }
    const signal = stopSignal('run the restore again, it goes on from here')
    const restored = await withExclusiveEngines((engines) => restore(engines, file, facts, signal), signal)
    const seconds = Math.round(performance.now() - began) / 1000
    const { events, sha256 } = facts
    const notes = [
      restored.found > 0 ? `${restored.found} of them were there already` : '',
      restored.copies > 0 ? `${restored.copies} that the saved store had twice are there once` : '',
    ].filter((note) => note !== '')
    tell(
      { file, events, sha256, ...restored, seconds },
      `${[`${events} events restored, and the read models built from them, in ${seconds} s`, ...notes].join('; ')}\n`,
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
    beforeWriting: () => resetFeed(engines.database),
    onProgress: bar.update,
  }).finally(() => bar.end())
  for await (const page of readKeys(file)) {
    signal.throwIfAborted()
    await engines.personal.restoreKeys(page)
  }
  await rebuildAll(engines, signal)
  return { ...restored, position: await engines.storeAsWritten.head() }
}
