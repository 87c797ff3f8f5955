import type { z } from 'zod'
import type { DocumentFiles } from '../../../../capabilities/documents/documentFiles.ts'
import { kindOf } from '../../../../capabilities/documents/documentKind.ts'
import type { DocumentReader } from '../../../../capabilities/documents/documentReader.ts'
import { BeyondLimits, ReadersBusy, Unreadable } from '../../../../capabilities/documents/unreadable.ts'
import { firstQuestion, repairQuestion } from '../../../../capabilities/extraction/extraction.ts'
import type { ParseTarget } from '../../../../capabilities/extraction/parseTarget.ts'
import { DOCUMENT_TEXT_CHARS_MAX } from '../../../../contracts/limits.ts'
import type { BackgroundModels } from '../../models/backgroundModels.ts'
import { ModelFailure } from '../../models/modelFailure.ts'
import { NotNow } from '../worker.ts'

const BUSY_RETRY_MS = 5_000
/** Readings of one file that may end with the death of the reader. */
const READER_DEATHS_MAX = 2

/** The document cannot be used, and a retry will not change that. The message is for the person who uploaded it. */
export class UnusableDocument extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnusableDocument'
  }
}

export type FileToRead = {
  readonly documentId: string
  readonly companyId: string
  readonly filename: string
  readonly bytes: Buffer
}

/**
 * The text of a file. Throws UnusableDocument if there is none. A reading is recorded before it begins, so that it
 * counts also if this process dies of it; a file that its readers died of twice is not read again.
 */
export async function textOf(
  { reader, files }: { readonly reader: Pick<DocumentReader, 'read'>; readonly files: DocumentFiles },
  { documentId, companyId, filename, bytes }: FileToRead,
  signal: AbortSignal,
): Promise<string> {
  let begun = 0
  const onBegin = async () => {
    begun = await files.beginReading(documentId)
    if (begun > READER_DEATHS_MAX) throw new BeyondLimits()
  }
  try {
    const text = await reader.read(kindOf({ name: filename, contentType: '', bytes }), bytes, {
      companyId,
      signal,
      onBegin,
    })
    if (text.trim() === '') throw new UnusableDocument('There is no text in the file.')
    if (text.length > DOCUMENT_TEXT_CHARS_MAX) {
      throw new UnusableDocument(`The text is longer than ${DOCUMENT_TEXT_CHARS_MAX} characters.`)
    }
    if (begun > 0) await files.endReading(documentId)
    return text
  } catch (error) {
    if (error instanceof BeyondLimits && begun < READER_DEATHS_MAX) {
      throw new Error('the process that read the document died, or took too much time or memory')
    }
    if (error instanceof Unreadable) throw new UnusableDocument(error.message)
    if (begun > 0) await files.endReading(documentId)
    if (error instanceof ReadersBusy) throw new NotNow(error.message, error.retryAfterMs ?? BUSY_RETRY_MS)
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
