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

/** The document cannot be used, and a retry will not change that. The message is for the person who uploaded it. */
export class UnusableDocument extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnusableDocument'
  }
}

/** The text of a file. Throws UnusableDocument if there is none. */
export async function textOf(reader: DocumentReader, filename: string, bytes: Buffer): Promise<string> {
  try {
    const text = await reader.read(kindOf({ name: filename, contentType: '', bytes }), bytes)
    if (text.trim() === '') throw new UnusableDocument('There is no text in the file.')
    if (text.length > DOCUMENT_TEXT_CHARS_MAX) {
      throw new UnusableDocument(`The text is longer than ${DOCUMENT_TEXT_CHARS_MAX} characters.`)
    }
    return text
  } catch (error) {
    if (error instanceof Unreadable) throw new UnusableDocument(error.message)
    if (error instanceof ReadersBusy) throw new NotNow(error.message, BUSY_RETRY_MS)
    throw error
  }
}

/** Lets a model extract the profile from a text. An invalid answer is sent back once, with its problems. */
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
