import { completionText } from '../../../capabilities/extraction/completion.ts'
import { Redaction } from '../../../capabilities/redaction/redaction.ts'
import { jsonExcess } from '../../../platform/http/body/jsonScan.ts'
import { parseJson } from '../../../platform/http/body/parseJson.ts'
import { answerTasks } from '../../../platform/threads/answerTasks.ts'
import { asBuffer, type Bytes, ownMemory } from '../../../platform/threads/ownMemory.ts'
import { type Disguise, withModelAlias, withStreamModelAlias } from '../wire/answers/answerModel.ts'
import { readAnswer } from '../wire/answers/providerAnswer.ts'
import type { Refused, RequestFacts } from '../wire/requests/inferenceRequest.ts'
import { createSseSplitter } from '../wire/streams/sseEvents.ts'
import { isNamedError } from '../wire/streams/sseOtherLines.ts'
import type { WireFormat } from '../wire/wireFormat.ts'
import { wireFormat } from '../wire/wireFormats.ts'
import type { DisguiseData, LargeJsonTask, LargeJsonTasks } from './largeJsonTasks.ts'

/** What an answer may hold: embeddings of 2,048 texts, but not so many objects that they exhaust the memory. */
const ANSWER_JSON = { valuesMax: 8_000_000, membersMax: 500_000 }

answerTasks<LargeJsonTask, LargeJsonTasks[keyof LargeJsonTasks]['result']>((task) => {
  const source = asBuffer(task.bytes)
  switch (task.name) {
    case 'request': {
      const read = readRequest(wireFormat(task.wire), source)
      return { result: { read, bytes: task.bytes }, transfer: [task.bytes.buffer] }
    }
    case 'answer': {
      const read = wireFormat(task.wire).readAnswer(jsonOf(source))
      const bytes = read.usage === null ? task.bytes : ownMemory(withModelAlias(source, disguiseOf(task.disguise)))
      return { result: { read, bytes }, transfer: [bytes.buffer] }
    }
    case 'answerText': {
      const json = jsonOf(source)
      return { result: { read: readAnswer(json), text: completionText(json) } }
    }
    case 'event':
      return eventOf(wireFormat(task.wire), task.bytes, disguiseOf(task.disguise))
  }
})

function readRequest(wire: WireFormat, body: Buffer): RequestFacts | Refused {
  const request = wire.readRequest(body)
  if ('refused' in request) return request
  // A function cannot be sent to another thread.
  const { forwardedAs: _, ...facts } = request
  return facts
}

function eventOf({ stream }: WireFormat, raw: Bytes, disguise: Disguise) {
  const splitter = createSseSplitter({ eventBytesMax: raw.length })
  const [event] = [...splitter.push(raw), ...splitter.end().events]
  if (!event) throw new Error('the bytes are not an event')
  const isReadable = event.data === null || jsonExcess(event.data, ANSWER_JSON) === null
  if (!isReadable) return { result: { chunk: { kind: 'invalid' as const }, bytes: raw } }
  const chunk = event.data && stream.readEvent(event.data, isNamedError(event))
  const bytes = ownMemory(withStreamModelAlias(event, disguise))
  return { result: { chunk, bytes }, transfer: [bytes.buffer] }
}

/** undefined if it is not JSON or too large to parse. */
function jsonOf(bytes: Buffer): unknown {
  return jsonExcess(bytes, ANSWER_JSON) === null ? parseJson(bytes) : undefined
}

function disguiseOf({ model, redaction }: DisguiseData): Disguise {
  return { model, redaction: new Redaction(redaction) }
}
