import { z } from 'zod'
import { type EventUnion, event, id, isoTime, personal, type Subject } from './definition.ts'

export const DOCUMENT_KINDS = ['CV', 'JOB_DOCUMENT'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** A CV is about the talent that it becomes, so that who erases the talent erases it, too. */
export const documentSubject: Subject = ({ documentId, talentId }) =>
  talentId === null ? `document-${documentId}` : `talent-${talentId}`

const document = {
  documentId: id,
  companyId: id,
  /** What it becomes: of a CV the one, of a job document the other. Known from the beginning. */
  talentId: id.nullable(),
  jobId: id.nullable(),
}

/** The file itself is no event: it is kept beside the store, sealed, until it has been read. */
export const documentEvents = {
  DocumentUploaded: event(
    1,
    z.strictObject({
      ...document,
      kind: z.enum(DOCUMENT_KINDS),
      /** People put their names into the names of files. */
      filename: personal(),
      bytes: z.int().positive(),
      uploadedAt: isoTime,
    }),
    { subjectOf: documentSubject },
  ),
  DocumentProcessed: event(
    1,
    z.strictObject({
      ...document,
      text: personal(),
      processedAt: isoTime,
    }),
    { subjectOf: documentSubject },
  ),
  DocumentFailed: event(1, z.strictObject({ ...document, error: z.string(), failedAt: isoTime })),
}

export type DocumentEvent = EventUnion<typeof documentEvents>
