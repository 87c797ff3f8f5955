import type { DocumentEvent, DocumentKind } from '../../contracts/events/document.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type DocumentRow = {
  readonly documentId: string
  readonly companyId: string
  readonly kind: DocumentKind
  readonly status: 'UPLOADED' | 'PROCESSED' | 'FAILED'
  /** Encrypted, as stored. */
  readonly filename: string
  readonly bytes: string
  readonly error: string | null
  /** What was created from it; null until then. */
  readonly talentId: string | null
  readonly jobId: string | null
  readonly uploadedAt: string
}

/** The row omits the text of a document, because no query lists it. */
export const documents: Projection<DocumentRow, DocumentEvent> = {
  name: 'documents',
  version: 1,
  categories: ['document'],
  table: 'documents',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['documentId'],
  rowsOf: (event) => [{ documentId: event.data.documentId }],
  evolve: (row, event) => {
    if (event.type === 'DocumentUploaded') {
      const { documentId, companyId, kind, filename, bytes, uploadedAt } = event.data
      const ends = { error: null, talentId: null, jobId: null }
      return { documentId, companyId, kind, status: 'UPLOADED', filename, bytes: String(bytes), ...ends, uploadedAt }
    }
    if (!row) throw new Error(`${event.type} of document ${event.data.documentId}, which was never uploaded`)
    switch (event.type) {
      case 'DocumentProcessed': {
        const { talentId, jobId } = event.data
        return { ...row, status: 'PROCESSED', talentId, jobId }
      }
      case 'DocumentFailed':
        return { ...row, status: 'FAILED', error: event.data.error }
      default:
        return unexpected(event)
    }
  },
}
