import { isoTime } from '../../platform/clock/clock.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { signNote } from '../transparency/note.ts'
import { ReceiptReader } from '../transparency/receiptReader.ts'
import { currentKeys, currentOrigin, openSigningKeys, type SigningKeys } from '../transparency/signingKeys.ts'
import { TransparencyLog } from '../transparency/transparencyLog.ts'
import type { Statement } from './statement.ts'
import { proveStatement, SEALED_WAIT_MS } from './statementProof.ts'
import { type StatementPeriod, statementRange } from './statementRange.ts'

export type StatementOptions = {
  /** The size of an older checkpoint; the proof then shows that the log still contains that tree. */
  readonly since?: number | undefined
  /** How long to wait for a checkpoint that covers the last entry. */
  readonly waitMs?: number
}

/** Makes statements of companies, signed by the keys of the log. */
export class Statements {
  readonly #runtime: Pick<Runtime, 'config' | 'engines' | 'clock' | 'log'>
  readonly #receipts: ReceiptReader
  #keys: Promise<SigningKeys> | undefined

  constructor(runtime: Pick<Runtime, 'config' | 'engines' | 'clock' | 'log'>) {
    this.#runtime = runtime
    const { database, storeAsWritten: store } = runtime.engines
    const { readTiles } = new TransparencyLog(database)
    this.#receipts = new ReceiptReader({ database, store, readTiles, log: runtime.log })
  }

  async open(period: StatementPeriod, { since, waitMs = SEALED_WAIT_MS }: StatementOptions = {}): Promise<Statement> {
    const { engines, clock, config } = this.#runtime
    const { database } = engines
    const range = await statementRange(engines, period)
    const receipts = {
      readEntry: (companyId: string, eventId: string) => this.#receipts.readEntry(companyId, eventId, { since }),
    }
    const proof = await proveStatement({ database, clock, receipts }, range, waitMs)
    this.#keys ??= openSigningKeys(config)
    const keys = await this.#keys
    const origin = await currentOrigin(database, keys)
    const { vkeys } = await currentKeys(database, keys)
    // A replaced key is not valid for what is signed after its rotation.
    if (!keys.of(origin).some(({ vkey }) => vkey === vkeys[0])) {
      throw new SettingError(
        'LOG_SIGNING_KEY is not the key that signs the log, so that nobody could verify the statement',
      )
    }
    return { engines, range, proof, madeAt: isoTime(clock.now()), sign: (text) => signNote(text, keys.of(origin)) }
  }
}
