import type { z } from 'zod'
import { DOCUMENT_TEXT_CHARS_MAX } from '../../../../contracts/limits.ts'
import { kindOf } from '../../../platform/documents/documentKind.ts'
import type { DocumentReader } from '../../../platform/documents/documentReader.ts'
import { ReadersBusy, Unreadable } from '../../../platform/documents/unreadable.ts'
import { firstQuestion, repairQuestion } from '../../../platform/extraction/extraction.ts'
import type { ParseTarget } from '../../../platform/extraction/parseTarget.ts'
import type { BackgroundModels } from '../../models/backgroundModels.ts'
import { ModelFailure } from '../../models/modelFailure.ts'
import { NotNow } from '../worker.ts'

const BUSY_RETRY_MS = 5_000

/** The document gives no profile, for a reason that trying again will not mend. */
export class Useless extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Useless'
  }
}

/** The text of a file. Useless says why it gives none, for the person who sent it. */
export async function textOf(reader: DocumentReader, filename: string, bytes: Buffer): Promise<string> {
  try {
    const text = await reader.read(kindOf({ name: filename, contentType: '', bytes }), bytes)
    if (text.trim() === '') throw new Useless('There is no text in the file.')
    if (text.length > DOCUMENT_TEXT_CHARS_MAX) {
      throw new Useless(`The text is longer than ${DOCUMENT_TEXT_CHARS_MAX} characters.`)
    }
    return text
  } catch (error) {
    if (error instanceof Unreadable) throw new Useless(error.message)
    if (error instanceof ReadersBusy) throw new NotNow(error.message, BUSY_RETRY_MS)
    throw error
  }
}

/** What the model makes of a text. An answer that does not fit is sent back once, with what is wrong with it. */
export async function profileOf<Schema extends z.ZodType>(
  models: Pick<BackgroundModels, 'extract'>,
  target: ParseTarget,
  schema: Schema,
  text: string,
): Promise<z.infer<Schema>> {
  const question = firstQuestion(target, text)
  const extraction = { kind: target.schemaName, schemaName: target.schemaName, schema }
  try {
    return await models.extract({ ...extraction, messages: question })
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    if (error.reason === 'resting') throw new NotNow(error.message, error.retryAfterMs ?? 0)
    if (error.reason !== 'invalid') throw error
    const repair = repairQuestion(question, '(an answer that could not be used)', [error.message])
    return await models.extract({ ...extraction, messages: repair })
  }
}
