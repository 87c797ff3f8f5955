import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isoTime, systemClock } from '../platform/clock/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { stopSignal } from './backup/stopSignal.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { checkBackup } from './restore/checkBackup.ts'
import { describeTransparency, transparencyAfterRestore } from './restore/describeTransparency.ts'
import { withExclusiveEngines } from './restore/exclusiveEngines.ts'
import { readLastCheckpoint } from './restore/lastCheckpoint.ts'
import { newOrigin } from './restore/newOrigin.ts'
import { READ_MODELS_WHEN, restoreInstallation } from './restore/restoreInstallation.ts'
import { SavedTransparencyLog } from './restore/savedTransparencyLog.ts'

const HELP = `npm run restore -- <file> [--last-checkpoint <file>] [--read-models later] [--check] [--json]

Restores the events of a backup into an empty event store of any kind and builds all read models from them. The whole
file is checked first: a file that is cut off, altered or not a backup is refused before anything is written, and so is
a store that holds other events. Personal data can be read again, except that of people who were erased.
An interrupted restore continues where it stopped when it is run again; until then, no service and no other command starts
on the installation.
Services must be stopped. A DATA_DIR without an installation gets one.

The transparency log may have published checkpoints after the backup was taken, which the restored log would contradict.
So it continues under a new origin, with a verifier key of that name, unless the newest published checkpoint is given and the
backup has it, too. A backup without checkpoints starts no new origin.

  --last-checkpoint <file>   the newest checkpoint that was published, as downloaded from /log/checkpoint
  --read-models later        leaves the read models empty, and the next start builds them: it is ready once those that
                             requests are decided by are current, and shows how far the others are (default: now)
  --check                    only checks that the file is complete and unaltered
  --json                     prints one JSON document
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args,
      options: {
        json: { type: 'boolean' },
        check: { type: 'boolean' },
        'last-checkpoint': { type: 'string' },
        'read-models': { type: 'string', default: 'now' },
      },
      allowPositionals: true,
    })
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new WrongUsage('the name of one file is required')
    const readModels = READ_MODELS_WHEN.find((when) => when === values['read-models'])
    if (!readModels) throw new WrongUsage(`--read-models is now or later, not ${values['read-models']}`)
    const file = resolve(name)
    const print = (document: object, text: string) =>
      process.stdout.write(values.json ? `${JSON.stringify(document, null, 2)}\n` : text)

    const beganMs = systemClock.monotonicMs()
    const { 'last-checkpoint': checkpointName } = values
    const lastCheckpoint = checkpointName === undefined ? null : resolve(checkpointName)
    const published = lastCheckpoint === null ? null : await readLastCheckpoint(lastCheckpoint)
    if (process.stderr.isTTY) process.stderr.write(`Checking ${file}…\n`)
    const transparencyLog = new SavedTransparencyLog(published)
    const facts = await checkBackup(file, (event) => transparencyLog.add(event))
    const checkedMs = systemClock.monotonicMs() - beganMs
    const next = newOrigin(transparencyLog, published, isoTime(systemClock.now()))
    if (values.check) {
      const { events, position, createdAt, sha256 } = facts
      print(
        { file, ...facts },
        `${file} is complete and unaltered: ${events} events up to position ${position || '-'}, saved ${createdAt}; SHA-256 ${sha256}\n`,
      )
      return 0
    }
    const signal = stopSignal('run the restore again to continue')
    const request = { file, facts, transparencyLog, newOrigin: next, lastCheckpoint, readModels, signal }
    const { startedOrigin, tookMs, ...restored } = await withExclusiveEngines(async (engines) => {
      const installation = await restoreInstallation(engines, request)
      return { ...installation, position: await engines.storeAsWritten.head() }
    }, signal)
    const transparencyNow = await transparencyAfterRestore(readConfig(process.env), transparencyLog, startedOrigin)
    const seconds = secondsOf(systemClock.monotonicMs() - beganMs)
    const took = {
      check: secondsOf(checkedMs),
      events: secondsOf(tookMs.events),
      readModels: secondsOf(tookMs.readModels),
      peakMemoryMiB: Math.round(process.resourceUsage().maxRSS / 1024),
    }
    const { events, sha256 } = facts
    const built = readModels === 'now' ? ' and all read models built' : ''
    const later = readModels === 'now' ? '' : 'The read models are not built yet: the next start builds them.\n'
    const notes = [
      restored.found > 0 ? `${restored.found} of them were already there` : '',
      restored.copies > 0 ? `${restored.copies} duplicates of the saved store were left out` : '',
    ].filter((note) => note !== '')
    print(
      { file, events, sha256, ...restored, readModels, log: transparencyNow, seconds, took },
      `${[`${events} events restored${built} in ${seconds} s`, ...notes].join('; ')}\n${later}${transparencyNow ? describeTransparency(transparencyNow) : ''}`,
    )
    return 0
  },
})

function secondsOf(ms: number): number {
  return Math.round(ms) / 1000
}
