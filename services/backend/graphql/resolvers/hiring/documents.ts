import { deterministicId } from '../../../../../capabilities/commands/eventId.ts'
import { DocumentFiles, TooManyFiles } from '../../../../../capabilities/documents/documentFiles.ts'
import { kindOf } from '../../../../../capabilities/documents/documentKind.ts'
import { Unreadable } from '../../../../../capabilities/documents/unreadable.ts'
import { type DocumentKind, documentSubject } from '../../../../../contracts/events/document.ts'
import { DOCUMENT_BYTES_MAX } from '../../../../../contracts/limits.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { documentDecider } from '../../../../../domain/document/decider.ts'
import { type DocumentRow, documents as documentsModel } from '../../../../../projections/documents/projection.ts'
import { documentsOf } from '../../../../../projections/documents/queries.ts'
import { requireCompany } from '../../access/access.ts'
import { apiError } from '../../apiError.ts'
import { change, type GraphqlContext, nowOf } from '../../context.ts'
import type { Document, Resolvers } from '../../generated.ts'
import { LIST_ROWS_MAX } from '../../paging.ts'

/** Files of a company that wait to be read. */
const DOCUMENTS_WAITING_PER_COMPANY_MAX = 100

export const documents: Resolvers = {
  Query: {
    documents: async (_source, _args, context) => {
      const rows = await documentsOf(context.runtime.engines.database, requireCompany(context), LIST_ROWS_MAX)
      return shownDocuments(context, rows)
    },
  },

  Mutation: {
    uploadCv: (_source, { file }, context) => upload(context, 'CV', file),
    uploadJobDocument: (_source, { file }, context) => upload(context, 'JOB_DOCUMENT', file),
  },
}

/** The file is stored before its event: an event without its file could never be processed. */
async function upload(context: GraphqlContext, kind: DocumentKind, file: File): Promise<Document> {
  const companyId = requireCompany(context)
  const { database, personal } = context.runtime.engines
  const bytes = await bytesOf(file)
  const documentId = context.runtime.ids.uuid()
  const becomesId = deterministicId(`document:${documentId}`)
  const subject = documentSubject({ documentId, talentId: kind === 'CV' ? becomesId : null })
  await new DocumentFiles(database, personal)
    .store({ documentId, companyId, subject, bytes }, DOCUMENTS_WAITING_PER_COMPANY_MAX)
    .catch((error: unknown) => {
      throw error instanceof TooManyFiles ? apiError('RATE_LIMITED', error.message) : error
    })
  const row = await change(context, documentsModel, documentDecider, streamName('document', documentId), {
    type: 'UploadDocument',
    documentId,
    companyId,
    kind,
    becomesId,
    filename: file.name,
    bytes: bytes.length,
    at: nowOf(context),
  })
  const [document] = await shownDocuments(context, [row])
  return document as Document
}

/** Refuses at once what cannot be a document, instead of letting a worker fail later. */
async function bytesOf(file: File): Promise<Buffer> {
  if (file.size > DOCUMENT_BYTES_MAX) {
    throw apiError('BAD_USER_INPUT', `the file is larger than ${DOCUMENT_BYTES_MAX} bytes`)
  }
  const bytes = Buffer.from(await file.arrayBuffer())
  try {
    kindOf({ name: file.name, contentType: file.type, bytes })
  } catch (error) {
    throw error instanceof Unreadable ? apiError('BAD_USER_INPUT', error.message) : error
  }
  return bytes
}

async function shownDocuments({ runtime }: GraphqlContext, rows: readonly DocumentRow[]): Promise<Document[]> {
  const revealed = await runtime.engines.personal.revealRows(rows, 'filename')
  return revealed.map(({ documentId, kind, status, filename, error, talentId, jobId, uploadedAt }) => ({
    ...{ id: documentId, kind, status, filename, error },
    ...{ talentId, jobId, createdAt: uploadedAt },
  }))
}
