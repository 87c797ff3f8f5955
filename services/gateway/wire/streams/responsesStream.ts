import { isAbsent, isJsonObject, jsonObjectIn } from '../../../../platform/http/body/parseJson.ts'
import { faultIn } from '../answers/providerFault.ts'
import { readResponsesUsage } from '../usage/responsesUsage.ts'
import type { ReportedUsage } from '../usage/usageShape.ts'
import { isDone } from './streamChunk.ts'
import type { StreamFacts, StreamFormat, StreamGate } from './streamFormat.ts'

type ResponsesEvent = StreamFacts & {
  readonly kind: 'event' | 'done' | 'invalid'
  readonly type: string
  /** Which item of the answer it is about; null if it is about the answer itself. */
  readonly item: number | null
  readonly sequence: number | null
  /** Of the answer, if the event contains it. */
  readonly id: string | null
  readonly createdAt: number | null
  /** Of the event that ends the answer; null in all others. */
  readonly usage: ReportedUsage | null
}

const NOTHING = { type: '', item: null, sequence: null, id: null, createdAt: null, usage: null } as const
const DONE: ResponsesEvent = { kind: 'done', ...NOTHING }
const INVALID: ResponsesEvent = { kind: 'invalid', ...NOTHING }
/** The answer is complete, or will not be continued. */
const ENDS = new Set(['response.completed', 'response.incomplete'])
/** The answer failed. The provider's own words about it are not passed on. */
const FAILURES = new Set(['error', 'response.failed', 'response.cancelled'])

function readEvent(data: Buffer, isNamedError = false): ResponsesEvent {
  if (isDone(data)) return DONE
  const payload = jsonObjectIn(data)
  if (payload === null) return INVALID
  const type = typeof payload.type === 'string' ? payload.type : ''
  const { response, delta, error } = payload
  const answer = isJsonObject(response) ? response : null
  const isError = isNamedError || FAILURES.has(type) || !isAbsent(error)
  return {
    kind: 'event',
    type,
    item: numberOr(payload.output_index),
    sequence: numberOr(payload.sequence_number),
    id: typeof answer?.id === 'string' ? answer.id : null,
    createdAt: numberOr(answer?.created_at),
    usage: ENDS.has(type) ? readResponsesUsage(answer) : null,
    deliveredChars: typeof delta === 'string' ? delta.length : 0,
    error: isError,
    // The event `error` has the code itself, that of a failed answer has it within the answer.
    fault: isError ? faultIn(error, answer?.error, payload) : undefined,
  }
}

/**
 * The events that complete an item (`….done`) are held as long as no other item goes on, because they may complete the
 * answer; they are released when another item begins. The event that ends the answer, and all after it, wait for the
 * charge. An item goes on from its first event, or from a new part of it, to the first event that completes a part.
 */
function createGate(): StreamGate<ResponsesEvent> {
  const begun = new Set<number>()
  const going = new Set<number>()
  let isHolding = false
  let isOver = false
  let sawDone = false
  let usage: ReportedUsage | null = null
  let sequence = -1
  let id: string | null = null
  let createdAt: number | null = null

  return {
    admit(event) {
      if (event === null) return isOver ? 'hold' : 'pass'
      sequence = event.sequence ?? sequence
      id = event.id ?? id
      createdAt = event.createdAt ?? createdAt
      usage = event.usage ?? usage
      sawDone ||= event.kind === 'done'
      isOver ||= sawDone || ENDS.has(event.type)
      if (isOver) return 'hold'
      const { type, item } = event
      if (item !== null && type.endsWith('.done')) {
        begun.add(item)
        going.delete(item)
        isHolding ||= going.size === 0
      } else if (item !== null && (!begun.has(item) || type.endsWith('.added'))) {
        begun.add(item)
        going.add(item)
        if (isHolding) {
          isHolding = false
          return 'release'
        }
      }
      return isHolding ? 'hold' : 'pass'
    },
    get isEnding() {
      return isOver || isHolding
    },
    end: () => ({ usage, finished: isOver, sawDone }),
    failure({ error: { message, code } }, { callId, model }) {
      const response = {
        id: id ?? `resp_${callId}`,
        object: 'response',
        created_at: createdAt ?? 0,
        status: 'failed',
        error: { code: code ?? 'server_error', message },
        incomplete_details: null,
        instructions: null,
        metadata: {},
        model,
        output: [],
        parallel_tool_calls: true,
        temperature: null,
        tool_choice: 'auto',
        tools: [],
        top_p: null,
        usage: null,
      }
      const failed = { type: 'response.failed', sequence_number: sequence + 1, response }
      return `event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`
    },
  }
}

export const RESPONSES_STREAM: StreamFormat<ResponsesEvent> = { readEvent, begin: createGate }

function numberOr(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
