import type { DocumentFiles } from '../../../../capabilities/documents/documentFiles.ts'
import type { DocumentReader } from '../../../../capabilities/documents/documentReader.ts'
import { cvProfile } from '../../../../capabilities/extraction/cvProfile.ts'
import { jobPosting } from '../../../../capabilities/extraction/jobPosting.ts'
import { CV, JOB } from '../../../../capabilities/extraction/parseTarget.ts'
import type { Installation } from '../../../../capabilities/installation.ts'
import { ERASED } from '../../../../capabilities/personalData/personalData.ts'
import type { DocumentEvent, DocumentKind } from '../../../../contracts/events/document.ts'
import type { WorkerName } from '../../../../contracts/events/task.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { fold } from '../../../../domain/decider.ts'
import { type DocumentCommand, documentDecider } from '../../../../domain/document/decider.ts'
import { jobDecider } from '../../../../domain/job/decider.ts'
import { talentDecider } from '../../../../domain/talent/decider.ts'
import { type Clock, isoTime } from '../../../../platform/clock/clock.ts'
import type { BackgroundModels } from '../../models/backgroundModels.ts'
import type { Worker } from '../worker.ts'
import { talentOf } from './cvTalent.ts'
import { jobOf } from './postingJob.ts'
import { profileOf, textOf, UnusableDocument } from './readDocument.ts'

export type DocumentWorkerOptions = {
  readonly engines: Pick<Installation, 'store' | 'personal' | 'commands'>
  readonly files: DocumentFiles
  readonly reader: DocumentReader
  readonly models: Pick<BackgroundModels, 'extract'>
  readonly clock: Clock
}

type Uploaded = Extract<DocumentEvent, { type: 'DocumentUploaded' }>['data']

const GONE = 'The file was deleted, or the person it is about was erased.'
/** A file without an event after this time belongs to an upload that failed. */
const ORPHANED_AFTER_MS = 60 * 60 * 1_000

/** Turns an uploaded CV into a talent. */
export function cvWorker(options: DocumentWorkerOptions): Worker<'document'> {
  return documentWorkerOf('cv_worker', 'CV', options, async (document, text) => {
    const { engines, models, clock } = options
    const { documentId, companyId, talentId } = document
    if (talentId === null || (await exists(options, 'talent', talentId))) return
    const at = isoTime(clock.now())
    const { name, ...talent } = talentOf(await profileOf(models, CV, cvProfile, text), document.uploadedAt)
    if (name === null) throw new UnusableDocument('The document has no name of a person: it does not look like a CV.')
    await engines.commands.handle(
      talentDecider,
      streamName('talent', talentId),
      { type: 'RegisterTalent', talentId, companyId, name, ...talent, at },
      contextOf('cv_worker', documentId),
    )
  })
}

/** Turns an uploaded job posting into a draft job, which an admin can publish. */
export function jobDocumentWorker(options: DocumentWorkerOptions): Worker<'document'> {
  return documentWorkerOf('document_worker', 'JOB_DOCUMENT', options, async (document, text) => {
    const { engines, models, clock } = options
    const { documentId, companyId, jobId } = document
    if (jobId === null || (await exists(options, 'job', jobId))) return
    const at = isoTime(clock.now())
    const { title, ...job } = jobOf(await profileOf(models, JOB, jobPosting, text), documentId)
    if (title === null)
      throw new UnusableDocument('The document has no job title: it does not look like a job posting.')
    await engines.commands.handle(
      jobDecider,
      streamName('job', jobId),
      { type: 'PostJob', jobId, companyId, title, ...job, at },
      contextOf('document_worker', documentId),
    )
  })
}

/** Reads the file, creates the talent or job, records the outcome and deletes the file. Each step may be repeated. */
function documentWorkerOf(
  name: WorkerName,
  kind: DocumentKind,
  options: DocumentWorkerOptions,
  create: (document: Uploaded, text: string) => Promise<void>,
): Worker<'document'> {
  const { engines, files, clock } = options
  const record = async (documentId: string, command: { type: 'CompleteDocument'; text: string } | Fail) => {
    const whole: DocumentCommand = { ...command, documentId, at: isoTime(clock.now()) }
    const context = { ...contextOf(name, documentId), commandId: `${command.type}:${documentId}` }
    await engines.commands.handle(documentDecider, streamName('document', documentId), whole, context)
    await files.delete(documentId)
  }
  return {
    name,
    categories: ['document'],
    consider: (event) => {
      if (event.type !== 'DocumentUploaded' || event.data.kind !== kind) return { tasks: [] }
      const { documentId, companyId } = event.data
      const subject = `${kind === 'CV' ? 'CV' : 'job document'} ${documentId}`
      return { tasks: [{ cause: documentId, subject, payload: { documentId, companyId } }] }
    },
    cleanUp: () => files.deleteOrphaned(ORPHANED_AFTER_MS),
    perform: async ({ payload }, signal) => {
      const documentId = String(payload.documentId)
      const { document, status } = await documentOf(engines, documentId)
      if (!document || status !== 'uploaded') return files.delete(documentId)
      try {
        const bytes = await files.read(documentId)
        const filename = await engines.personal.reveal(document.filename)
        if (!bytes || filename === ERASED) throw new UnusableDocument(GONE)
        const { companyId } = document
        const text = await textOf(options, { documentId, companyId, filename, bytes }, signal)
        await create(document, text)
        await record(documentId, { type: 'CompleteDocument', text })
      } catch (error) {
        if (!(error instanceof UnusableDocument)) throw error
        await record(documentId, { type: 'FailDocument', error: error.message })
      }
    },
  }
}

type Fail = { readonly type: 'FailDocument'; readonly error: string }

async function documentOf({ store }: DocumentWorkerOptions['engines'], documentId: string) {
  const events: DocumentEvent[] = []
  for await (const event of store.readStream(streamName('document', documentId))) events.push(event)
  const [first] = events
  const document = first?.type === 'DocumentUploaded' ? first.data : null
  return { document, status: fold(documentDecider, events).status }
}

/** Whether an earlier attempt, which crashed before it recorded its outcome, has created it. */
async function exists({ engines }: DocumentWorkerOptions, category: 'talent' | 'job', id: string): Promise<boolean> {
  for await (const _ of engines.store.readStream(streamName(category, id), { limit: 1 })) return true
  return false
}

function contextOf(name: WorkerName, documentId: string) {
  return { commandId: `document:${documentId}`, correlationId: documentId, actor: { kind: 'system', name } } as const
}
