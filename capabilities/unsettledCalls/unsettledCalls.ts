import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { callFacts, withoutAttribution } from '../../contracts/events/ledger.ts'
import { isUuid } from '../../contracts/uuid.ts'
import { type Clock, isoTime } from '../../platform/clock/clock.ts'
import { within } from '../../platform/clock/within.ts'
import { SettingError } from '../../platform/config/settingError.ts'

/** How many calls one gateway records at a time: far more than it has in flight when it stops admitting. */
export const UNSETTLED_CALLS_MAX = 10_000
/** How long a caller's 503 waits for the disk. */
export const RECORD_MS_MAX = 2_000
/** A file that is still incomplete after this time was left by a dead process. */
const PARTIAL_MS_MAX = 60_000

const FOLDER = 'unsettled'
const ENDING = '.json'
const PARTIAL = '.partial'

/** The version of the files. Version 1 has the facts of a call as in version 1 of the ledger's events. */
const VERSION = 2

const unsettledCall = z.strictObject({
  version: z.literal(VERSION),
  call: callFacts,
  /** The claim of its Idempotency-Key, as the call held it. */
  claim: z.strictObject({ scope: z.string(), holder: z.string().refine(isUuid) }).nullable(),
  /** The first revision of the company's ledger that the charge can have. */
  from: z.int().nonnegative(),
  recordedAt: z.iso.datetime(),
})

/**
 * A call whose caller was told that it failed, while its charge may or may not be stored: what is needed to end it as
 * failed on the ledger, or to reverse its charge.
 */
export type UnsettledCall = Omit<z.infer<typeof unsettledCall>, 'version' | 'recordedAt'>
export type RecordedCall = z.infer<typeof unsettledCall>

/** Also returns the names of files that contain no call, because a person has to look at them. */
export type UnsettledList = { readonly calls: readonly RecordedCall[]; readonly damaged: readonly string[] }

/**
 * One small file in `DATA_DIR/unsettled` per unsettled call. It outlives the process, so that the next gateway on the
 * same data folder can settle the call. Several gateways may share the folder.
 */
export class UnsettledCalls {
  readonly #folder: string
  readonly #clock: Clock
  /** The writes under way, by call. */
  readonly #writing = new Map<string, Promise<void>>()
  #recorded = 0

  private constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
  }

  static async open(dataDir: string, clock: Clock): Promise<UnsettledCalls> {
    const folder = join(dataDir, FOLDER)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await syncFolder(dataDir)
      await removeOldPartials(folder, clock.now())
    } catch (error) {
      throw new SettingError(
        `DATA_DIR: ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}): a gateway records calls there whose charge is uncertain`,
      )
    }
    return new UnsettledCalls(folder, clock)
  }

  /** Resolves when the record is on the disk. */
  async record(unsettled: UnsettledCall): Promise<void> {
    if (this.#recorded >= UNSETTLED_CALLS_MAX) {
      throw new Error(`${UNSETTLED_CALLS_MAX} unsettled calls are recorded already`)
    }
    this.#recorded++
    const recorded: RecordedCall = { version: VERSION, ...unsettled, recordedAt: isoTime(this.#clock.now()) }
    const { callId } = unsettled.call
    const writing = this.#write(recorded).finally(() => this.#writing.delete(callId))
    this.#writing.set(callId, writing)
    await within(writing, RECORD_MS_MAX, this.#clock)
  }

  async remove(callId: string): Promise<void> {
    const remove = () => rm(this.#file(callId), { force: true })
    // A write that the disk has held up would bring the file back.
    const held = this.#writing.get(callId)
    held?.then(remove).catch(() => {})
    await remove()
    this.#recorded = Math.max(0, this.#recorded - 1)
  }

  list(): Promise<UnsettledList> {
    return listFolder(this.#folder)
  }

  async #write(recorded: RecordedCall): Promise<void> {
    const file = this.#file(recorded.call.callId)
    const partial = `${file}.${process.pid}${PARTIAL}`
    const handle = await open(partial, 'w', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(recorded)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(partial, file)
    await syncFolder(this.#folder)
  }

  #file(callId: string): string {
    return join(this.#folder, `${callId}${ENDING}`)
  }
}

/** The calls recorded in a data folder, for readers that are not a gateway. */
export function readUnsettledCalls(dataDir: string): Promise<UnsettledList> {
  return listFolder(join(dataDir, FOLDER))
}

async function listFolder(folder: string): Promise<UnsettledList> {
  const names = (await readdir(folder).catch(ifMissing([]))).filter((name) => name.endsWith(ENDING)).sort()
  const calls: RecordedCall[] = []
  const damaged: string[] = []
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8').catch(ifMissing(null))
    // Null: another gateway has settled it in the meantime.
    if (text === null) continue
    const call = parseCall(text)
    if (call) calls.push(call)
    else damaged.push(join(folder, name))
  }
  return { calls, damaged }
}

function parseCall(text: string): RecordedCall | null {
  try {
    return unsettledCall.safeParse(upgraded(JSON.parse(text))).data ?? null
  } catch {
    return null
  }
}

/** A file that the previous version of the gateway left. Throws if it is damaged. */
function upgraded(file: { version: unknown; call: Record<string, unknown> }): unknown {
  return file.version === 1 ? { ...file, version: VERSION, call: withoutAttribution(file.call) } : file
}

async function removeOldPartials(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(PARTIAL)) continue
    const file = join(folder, name)
    const written = await stat(file).catch(ifMissing(null))
    if (written && nowMs - written.mtimeMs > PARTIAL_MS_MAX) await rm(file, { force: true })
  }
}

/** Without this, a new name in the folder may be lost if the machine crashes. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function ifMissing<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code !== 'ENOENT') throw error
    return value
  }
}
