import type { DocumentEvent, DocumentKind } from '../../contracts/events/document.ts'
import { DOCUMENT_BYTES_MAX } from '../../contracts/limits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requireText } from '../text.ts'

export const FILENAME_CHARS_MAX = 255
/** How much of a document's text is kept. It fits an event in any script. */
export const DOCUMENT_TEXT_KEPT_CHARS_MAX = 60_000

/** A document is uploaded, then processed into a talent or a job, or failed with a reason. */
export type DocumentState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'uploaded' | 'processed' | 'failed'
      readonly companyId: string
      readonly talentId: string | null
      readonly jobId: string | null
    }

export function evolve(_state: DocumentState, event: DocumentEvent): DocumentState {
  const { companyId, talentId, jobId } = event.data
  const ids = { companyId, talentId, jobId }
  switch (event.type) {
    case 'DocumentUploaded':
      return { status: 'uploaded', ...ids }
    case 'DocumentProcessed':
      return { status: 'processed', ...ids }
    case 'DocumentFailed':
      return { status: 'failed', ...ids }
    default:
      return unexpected(event)
  }
}

export type DocumentCommand = { readonly documentId: string; readonly at: string } & (
  | {
      readonly type: 'UploadDocument'
      readonly companyId: string
      readonly kind: DocumentKind
      /** The id of what will be created from it: a talent from a CV, a job from a job document. */
      readonly becomesId: string
      readonly filename: string
      readonly bytes: number
    }
  | { readonly type: 'CompleteDocument'; readonly text: string }
  | { readonly type: 'FailDocument'; readonly error: string }
)

export function decide(command: DocumentCommand, state: DocumentState): DocumentEvent[] {
  const { documentId, at } = command
  if (command.type === 'UploadDocument') return [uploaded(command, state)]
  if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no document ${documentId}`)
  // The first result stays: if two workers finish a document, the second changes nothing.
  if (state.status !== 'uploaded') return []
  const { companyId, talentId, jobId } = state
  const ids = { documentId, companyId, talentId, jobId }
  switch (command.type) {
    case 'CompleteDocument': {
      const text = command.text.slice(0, DOCUMENT_TEXT_KEPT_CHARS_MAX).toWellFormed().replaceAll('\0', '')
      return [{ type: 'DocumentProcessed', data: { ...ids, text, processedAt: at } }]
    }
    case 'FailDocument':
      return [{ type: 'DocumentFailed', data: { ...ids, error: command.error, failedAt: at } }]
    default:
      return unexpected(command)
  }
}

function uploaded(command: Extract<DocumentCommand, { type: 'UploadDocument' }>, state: DocumentState): DocumentEvent {
  const { documentId, companyId, kind, becomesId, bytes, at } = command
  if (state.status !== 'unknown') throw new Refusal('CONFLICT', `document ${documentId} exists already`)
  if (bytes < 1) throw new Refusal('INVALID', 'the file is empty')
  if (bytes > DOCUMENT_BYTES_MAX) {
    throw new Refusal('INVALID', `the file is larger than ${DOCUMENT_BYTES_MAX} bytes`)
  }
  const filename = requireText(command.filename, 'the name of a file', FILENAME_CHARS_MAX)
  const becomes = {
    talentId: kind === 'CV' ? becomesId : null,
    jobId: kind === 'JOB_DOCUMENT' ? becomesId : null,
  }
  return {
    type: 'DocumentUploaded',
    data: { documentId, companyId, ...becomes, kind, filename, bytes, uploadedAt: at },
  }
}

export const documentDecider: Decider<DocumentState, DocumentCommand, DocumentEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
