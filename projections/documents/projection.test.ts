import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DocumentEvent } from '../../contracts/events/document.ts'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { processed, uploaded } from '../../test/support/events/workerEvents.ts'
import { applyEvents } from '../projection.ts'
import { documents } from './projection.ts'

const documentId = randomUUID()
const companyId = randomUUID()
const rowsAfter = (...events: DocumentEvent[]) => [
  ...applyEvents(documents, history(streamName('document', documentId), ...events)).values(),
]

test('an uploaded document does not show the id of its talent or job before it is processed', () => {
  expect(rowsAfter(uploaded(documentId, companyId))).toEqual([
    {
      documentId,
      companyId,
      kind: 'CV',
      status: 'UPLOADED',
      filename: 'cv "東京".pdf',
      bytes: '1000',
      error: null,
      talentId: null,
      jobId: null,
      uploadedAt: AT,
    },
  ])
})

test('a processed document shows its talent, a failed one its error', () => {
  const first = uploaded(documentId, companyId)
  const end = { status: 'PROCESSED', talentId: documentId, jobId: null, error: null }
  expect(rowsAfter(first, processed(documentId, companyId))).toMatchObject([end])
  const ids = { documentId, companyId, talentId: documentId, jobId: null }
  const failed: DocumentEvent = { type: 'DocumentFailed', data: { ...ids, error: 'it is locked', failedAt: AT } }
  expect(rowsAfter(first, failed)).toMatchObject([{ status: 'FAILED', talentId: null, error: 'it is locked' }])
})

test('a document that was never uploaded cannot be processed', () => {
  expect(() => rowsAfter(processed(documentId, companyId))).toThrow(/never uploaded/)
})
