import { expect, test } from 'vitest'
import { DOCUMENT_BYTES_MAX } from '../../contracts/limits.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import {
  DOCUMENT_TEXT_KEPT_CHARS_MAX,
  type DocumentCommand,
  decide,
  documentDecider,
  evolve,
  FILENAME_CHARS_MAX,
} from './decider.ts'

const given = specificationOf(documentDecider)

const documentId = '77777777-7777-4777-8777-777777777777'
const companyId = '11111111-1111-4111-8111-111111111111'
const becomesId = '88888888-8888-4888-8888-888888888888'
const at = '2026-03-01T10:00:00.000Z'
type Upload = Extract<DocumentCommand, { type: 'UploadDocument' }>
const upload = (changes: Partial<Upload> = {}): Upload => ({
  type: 'UploadDocument',
  documentId,
  companyId,
  kind: 'CV',
  becomesId,
  filename: 'cv.pdf',
  bytes: 1_000,
  at,
  ...changes,
})
const ids = { documentId, companyId, talentId: becomesId, jobId: null }
const uploaded = {
  type: 'DocumentUploaded',
  data: { ...ids, kind: 'CV', filename: 'cv.pdf', bytes: 1_000, uploadedAt: at },
} as const
const complete: DocumentCommand = { type: 'CompleteDocument', documentId, text: 'Ada', at }
const fail: DocumentCommand = { type: 'FailDocument', documentId, error: 'the file is locked', at }
const processed = { type: 'DocumentProcessed', data: { ...ids, text: 'Ada', processedAt: at } } as const
const failed = { type: 'DocumentFailed', data: { ...ids, error: 'the file is locked', failedAt: at } } as const

test('the talent of a CV and the job of a job document get their ids at the upload', () => {
  given().when(upload()).then(uploaded)
  const job = { ...uploaded.data, talentId: null, jobId: becomesId, kind: 'JOB_DOCUMENT' } as const
  given()
    .when(upload({ kind: 'JOB_DOCUMENT' }))
    .then({ type: 'DocumentUploaded', data: job })
})

test('a document is processed or fails once, and the result stays', () => {
  given(uploaded).when(complete).then(processed)
  given(uploaded).when(fail).then(failed)
  for (const end of [processed, failed]) {
    given(uploaded, end).when(complete).thenNothing()
    given(uploaded, end).when(fail).thenNothing()
  }
})

test('only the beginning of a long text is kept, without characters that cannot be stored', () => {
  const text = `\0a${'\u{1f680}'.repeat(DOCUMENT_TEXT_KEPT_CHARS_MAX)}`
  const [event] = decide({ ...complete, text }, evolve({ status: 'unknown' }, uploaded))
  expect(event?.type === 'DocumentProcessed' && event.data.text).toMatch(/^a(\u{1f680})+\ufffd?$/u)
})

test.each<[string, Partial<Upload>, RegExp]>([
  ['no bytes', { bytes: 0 }, /is empty/],
  ['too many bytes', { bytes: DOCUMENT_BYTES_MAX + 1 }, /larger than/],
  ['no name', { filename: ' ' }, /name of a file/],
  ['an endless name', { filename: 'x'.repeat(FILENAME_CHARS_MAX + 1) }, /name of a file/],
])('a file with %s is refused', (_, changes, message) => {
  given().when(upload(changes)).thenThrows('INVALID', message)
})

test('an existing id is refused, and so is an unknown one', () => {
  given(uploaded).when(upload()).thenThrows('CONFLICT')
  given().when(complete).thenThrows('NOT_FOUND')
})
