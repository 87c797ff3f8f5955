import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { BEGINNING } from '../contracts/position.ts'
import { isoTime, systemClock } from '../services/platform/clock/clock.ts'
import { READ_PAGE_EVENTS_MAX } from '../services/platform/eventStore/storeLimits.ts'
import { writeWhole } from './backup/backupFile.ts'
import { stopSignal } from './backup/stopSignal.ts'
import { writeBackup } from './backup/writeBackup.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { progressBar } from './cli/progressBar.ts'
import { withInstallation } from './cli/withInstallation.ts'

const HELP = `npm run backup -- <file> [--json]

Saves all events of the event store, whichever it is, to a file: as they are stored, in their order, up to where the
store stands when it begins. Services go on meanwhile. The file appears when it is whole, in place of an earlier one.
"npm run restore -- <file> --check" tells whether it is still as it was written.

It holds the events, from which all read models are built, and the keys under which personal fields are sealed in them:
who has the file can read them, also of people who are erased later. The secrets of DATA_DIR are not in it.

  -        for the file: standard output
  --json   one JSON document
`

const STANDARD_OUTPUT = '-'

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true })
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new WrongUsage('name one file to write')
    const toOutput = name === STANDARD_OUTPUT
    if (toOutput && process.stdout.isTTY)
      throw new WrongUsage('a backup is not for the eyes: send it to a file or a pipe')
    const file = toOutput ? null : resolve(name)
    const signal = stopSignal('nothing was saved')
    const began = performance.now()
    const facts = await withInstallation(async ({ storeAsWritten: store, personal }) => {
      const bar = progressBar('backup', await store.eventsAfter(BEGINNING))
      const createdAt = isoTime(systemClock.now())
      const keyPages = personal.keyPages(READ_PAGE_EVENTS_MAX)
      const write = (to: Writable) => writeBackup({ store, keyPages, to, createdAt, signal, onProgress: bar.update })
      return (file === null ? write(process.stdout) : writeWhole(file, write)).finally(() => bar.end())
    })
    const seconds = Math.round(performance.now() - began) / 1000
    const { events, position, sha256 } = facts
    const text = values.json
      ? `${JSON.stringify({ file, ...facts, seconds }, null, 2)}\n`
      : `${events} events, to position ${position || '-'}, saved ${file === null ? '' : `to ${file} `}in ${seconds} s; SHA-256 ${sha256}\n`
    // Where the backup itself is the result, what there is to tell about it is not.
    const told = file === null ? process.stderr : process.stdout
    told.write(text)
    return 0
  },
})
