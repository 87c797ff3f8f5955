import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSigningKeys } from '../../../capabilities/transparency/signingKeys.ts'
import { isoTime, systemClock } from '../../../platform/clock/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { parseVerifierKey } from '../../../platform/secrets/noteKeys.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { WrongUsage } from '../../cli/command.ts'
import { readStopped } from '../../cli/requireBuilt.ts'
import { withInstallation } from '../../cli/withInstallation.ts'
import { stoppedText } from '../print.ts'
import { auditTransparency } from './auditTransparency.ts'
import type { KeysOf } from './keyChain.ts'
import { PartThreads } from './partThreads.ts'
import { transparencyAuditJson, transparencyAuditText } from './print.ts'
import { readState, writeState } from './state.ts'

export type TransparencyAuditCommand = {
  readonly since: readonly string[]
  readonly vkeys: readonly string[]
  readonly stateFile: string | undefined
  readonly isFull: boolean
  readonly json: boolean
}

/** `audit --log`: prints what it finds and returns the exit code. */
export async function runTransparencyAudit({
  since,
  vkeys,
  stateFile,
  isFull,
  json,
}: TransparencyAuditCommand): Promise<number> {
  const config = readConfig(process.env)
  const file = stateFile ?? join(config.DATA_DIR, 'audit-log.json')
  const held = await Promise.all(since.map(async (path) => ({ file: path, note: await readNote(path) })))
  const keysOf = vkeys.length > 0 ? givenKeys(vkeys) : await ownKeys(config)
  // A damaged file does not matter if nothing is taken from it.
  const state = await readState(file).catch((error: unknown) => {
    if (!isFull) throw error
    return null
  })
  const now = isoTime(systemClock.now())
  const { audit, stopped } = await withInstallation(
    async (engines) => {
      const threads = new PartThreads(engines.database.url)
      try {
        return {
          audit: await auditTransparency(engines, { keysOf, state, isFull, held, now, parts: threads.options }),
          stopped: (await readStopped(engines, config.KAFKA_BROKERS !== undefined)).stopped,
        }
      } finally {
        await threads.close()
      }
    },
    { reads: [creditBalances], requiresBuilt: true },
  )
  if (audit.state) await writeState(file, audit.state)
  const text = json
    ? `${JSON.stringify({ ...transparencyAuditJson(audit, file), stoppedReadModels: stopped }, null, 2)}\n`
    : transparencyAuditText(audit, file) + stoppedText(stopped)
  process.stdout.write(text)
  return audit.faults.count === 0 && stopped.length === 0 ? 0 : 1
}

function readNote(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: Error) => {
    throw new WrongUsage(`--since takes a file with a checkpoint: ${error.message}`)
  })
}

/** An auditor who got the keys elsewhere need not trust the settings of this installation. */
function givenKeys(vkeys: readonly string[]): KeysOf {
  const keys = vkeys.map((vkey) => {
    try {
      return parseVerifierKey(vkey)
    } catch (error) {
      throw new WrongUsage(`--vkey: ${(error as Error).message}`)
    }
  })
  return (origin) => keys.filter(({ name }) => name === origin)
}

async function ownKeys(config: ReturnType<typeof readConfig>): Promise<KeysOf> {
  const keys = await openSigningKeys(config)
  return (origin) => keys.of(origin)
}
