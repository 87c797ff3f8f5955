import { z } from 'zod'
import { type EventUnion, event, id, isoTime, personal, type Subject } from './definition.ts'

export const DOCUMENT_KINDS = ['CV', 'JOB_DOCUMENT'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** A CV is about the talent created from it, so erasing the talent erases the CV too. */
export const documentSubject: Subject = ({ documentId, talentId }) =>
  talentId === null ? `document-${documentId}` : `talent-${talentId}`

const document = {
  documentId: id,
  companyId: id,
  /** The id of what is created from it: a talent from a CV, a job from a job document. Assigned at the upload. */
  talentId: id.nullable(),
  jobId: id.nullable(),
}

/** The file itself is not an event: it is stored encrypted outside the event store until it has been read. */
export const documentEvents = {
  DocumentUploaded: event(
    1,
    z.strictObject({
      ...document,
      kind: z.enum(DOCUMENT_KINDS),
      /** File names often contain the name of a person. */
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
