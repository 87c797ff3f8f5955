import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { saltSecretPages } from '../capabilities/transparency/savedSaltSecrets.ts'
import { BEGINNING } from '../contracts/position.ts'
import { isoTime, systemClock } from '../platform/clock/clock.ts'
import { READ_PAGE_EVENTS_MAX } from '../platform/eventStore/storeLimits.ts'
import { writeAtomically } from './backup/backupFile.ts'
import { stopSignal } from './backup/stopSignal.ts'
import { writeBackup } from './backup/writeBackup.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { progressBar } from './cli/progressBar.ts'
import { withInstallation } from './cli/withInstallation.ts'

const HELP = `npm run backup -- <file> [--json]

Saves all events of the event store, of any kind, to a file: as they are stored, in their order, up to the position of
the store when the backup begins. Services keep running. The file appears once it is complete and replaces an older one.
"npm run restore -- <file> --check" checks that it is still complete and unaltered.

The file holds the events, from which all read models are built, the keys that encrypt the personal fields in them, and
the log secrets of companies, from which the entries of the transparency log are computed: anyone with the file can read
personal data, also of people who are erased later. The secrets of DATA_DIR are not in it.

  -        as the file: writes to standard output
  --json   prints one JSON document
`

const STANDARD_OUTPUT = '-'

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true })
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new WrongUsage('the name of one file is required')
    const toOutput = name === STANDARD_OUTPUT
    if (toOutput && process.stdout.isTTY) throw new WrongUsage('a backup is binary: redirect it to a file or a pipe')
    const file = toOutput ? null : resolve(name)
    const signal = stopSignal('nothing was saved')
    const beganMs = systemClock.monotonicMs()
    const facts = await withInstallation(async ({ storeAsWritten: store, personal, database }) => {
      const bar = progressBar('backup', await store.eventsAfter(BEGINNING))
      const createdAt = isoTime(systemClock.now())
      const keyPages = personal.keyPages(READ_PAGE_EVENTS_MAX)
      const secretPages = saltSecretPages(database, READ_PAGE_EVENTS_MAX)
      const write = (to: Writable) =>
        writeBackup({ store, keyPages, secretPages, to, createdAt, signal, onProgress: bar.update })
      return (file === null ? write(process.stdout) : writeAtomically(file, write)).finally(() => bar.end())
    })
    const seconds = Math.round(systemClock.monotonicMs() - beganMs) / 1000
    const { events, position, sha256 } = facts
    const text = values.json
      ? `${JSON.stringify({ file, ...facts, seconds }, null, 2)}\n`
      : `${events} events up to position ${position || '-'} saved ${file === null ? '' : `to ${file} `}in ${seconds} s; SHA-256 ${sha256}\n`
    // Without a file, standard output is the backup itself.
    const output = file === null ? process.stderr : process.stdout
    output.write(text)
    return 0
  },
})
