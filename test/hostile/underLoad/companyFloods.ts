import { responsesStream } from '../../support/events/responsesEvents.ts'
import { docxOfOpenFields } from '../../support/parties/hostileDocuments.ts'
import { headOf, lengthOf, type Piece, type WireCase } from '../wireCase.ts'
import type { Flood } from './flood.ts'

/** More than there were connections to a provider when one company could have all of them. */
const SLOW_CALLS = 300
const SLOW_CALLS_PER_SECOND = 200
/** More than an event may have that repeats nothing. */
const INSTRUCTIONS_CHARS = 4_300_000
const BOUNDARY = 'boundary-of-a-slow-document'

/** What a company with credits can do to others: take connections, streams that it does not pay for, and CPU time. */
export const COMPANY_FLOODS: readonly Flood[] = [
  {
    ...{ name: 'slow calls of another company', kind: 'hold', connections: SLOW_CALLS },
    ...{ perSecond: SLOW_CALLS_PER_SECOND, sent: slowCall() },
  },
  {
    ...{ name: 'Responses streams that repeat 4 MB of instructions', kind: 'repeat', connections: 2, perSecond: 2 },
    ...{ sent: repeatedInstructions(), isCharged: true },
  },
  {
    ...{ name: 'documents that take long to read', kind: 'repeat', connections: 4, perSecond: 20 },
    ...{ sent: slowDocument(), isRefused: true },
  },
]

/** The provider never answers it. */
function slowCall(): WireCase {
  const messages = [{ role: 'user', content: 'case-slowcall' }]
  const body = [JSON.stringify({ model: 'svc/chat-cheap', messages })]
  return { ...post('/llm/v1/chat/completions', 'application/json', body), provider: [], mayFail: true }
}

/** The provider repeats the instructions in the event that ends its stream, as it may. */
function repeatedInstructions(): WireCase {
  const instructions = { repeat: 'x', times: INSTRUCTIONS_CHARS }
  const body = [
    '{"model":"svc/chat-premium","stream":true,"input":"case-repeated","instructions":"',
    instructions,
    '"}',
  ]
  const [before = '', after = ''] = responsesStream().join('').split('"output":[],"usage":{')
  const provider = [
    'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n',
    ...[`${before}"instructions":"`, instructions, `","output":[],"usage":{${after}`],
  ]
  return { ...post('/llm/v1/responses', 'application/json', body), provider }
}

/** Of several accounts of the company, which has one limit. */
function slowDocument(): WireCase {
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  const disposition = 'content-disposition: form-data; name="file"; filename="cv.docx"'
  const body = [
    `--${BOUNDARY}\r\n${disposition}\r\ncontent-type: ${type}\r\n\r\n`,
    { base64: docxOfOpenFields().toString('base64') },
    `\r\n--${BOUNDARY}--\r\n`,
  ]
  return post('/llm/v1/parse/cv', `multipart/form-data; boundary=${BOUNDARY}`, body, 'Bearer {{eachKey}}')
}

function post(path: string, type: string, body: readonly Piece[], authorization = 'Bearer {{otherKey}}'): WireCase {
  const headers = { 'content-type': type, authorization, 'content-length': lengthOf(body) }
  return { name: path, service: 'gateway', head: headOf('POST', path, { headers }), body }
}
