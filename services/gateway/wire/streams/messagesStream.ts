import type { ErrorEnvelope } from '../../../../contracts/errors.ts'
import { isAbsent, isJsonObject, type JsonObject, jsonObjectIn } from '../../../../platform/http/body/parseJson.ts'
import { faultIn } from '../answers/providerFault.ts'
import { readMessagesUsage } from '../usage/messagesUsage.ts'
import type { ReportedUsage } from '../usage/usageShape.ts'
import type { StreamFacts, StreamFormat, StreamGate } from './streamFormat.ts'

type MessagesEvent = StreamFacts & {
  readonly kind: 'event' | 'invalid'
  readonly type: string
  /** It says why the model stopped, or that the message is over. */
  readonly ends: boolean
  /** The counts that it reports, which replace those of earlier events. */
  readonly counts: JsonObject | null
}

const INVALID: MessagesEvent = { kind: 'invalid', type: '', ends: false, counts: null }
const COUNTS = [
  ...['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'cache_creation'],
  ...['output_tokens_details', 'server_tool_use', 'iterations', 'service_tier'],
]

function readEvent(data: Buffer, isNamedError = false): MessagesEvent {
  const payload = jsonObjectIn(data)
  if (payload === null) return INVALID
  const { delta, message, error } = payload
  const type = typeof payload.type === 'string' ? payload.type : ''
  const isDelta = type === 'message_delta'
  const hasStopped = isDelta && isJsonObject(delta) && !isAbsent(delta.stop_reason)
  const reported = isDelta ? payload.usage : type === 'message_start' && isJsonObject(message) ? message.usage : null
  const isError = isNamedError || type === 'error' || !isAbsent(error)
  return {
    kind: 'event',
    type,
    ends: hasStopped || type === 'message_stop',
    counts: isJsonObject(reported) ? countsOf(reported) : null,
    deliveredChars: charsOf(delta) + charsOf(payload.content_block),
    error: isError,
    fault: isError ? faultIn(error, payload) : undefined,
  }
}

/** Null counts are ignored. */
function countsOf(reported: JsonObject): JsonObject {
  return Object.fromEntries(COUNTS.map((name) => [name, reported[name]]).filter(([, value]) => !isAbsent(value)))
}

/** Text, thoughts and arguments of tools are strings of the delta; its type and a signature are not output. */
function charsOf(part: unknown): number {
  if (!isJsonObject(part)) return 0
  let chars = 0
  for (const name of ['text', 'partial_json', 'thinking']) {
    const value = part[name]
    if (typeof value === 'string') chars += value.length
  }
  return chars
}

/**
 * Everything from the event with the stop_reason on waits for the charge. The counts at the beginning of a message are
 * those of its input only; they make a usage once a later event has reported the output, which is cumulative.
 */
function createGate(): StreamGate<MessagesEvent> {
  let isOver = false
  let hasOutput = false
  let counts: JsonObject = {}

  return {
    admit(event) {
      if (event !== null) {
        isOver ||= event.ends
        if (event.counts) {
          counts = { ...counts, ...event.counts }
          hasOutput ||= event.type === 'message_delta' && 'output_tokens' in event.counts
        }
      }
      return isOver ? 'hold' : 'pass'
    },
    get isEnding() {
      return isOver
    },
    end: () => ({ usage: usageOf(), finished: isOver, sawDone: false }),
    failure: errorEvent,
  }

  function usageOf(): ReportedUsage | null {
    return isOver && hasOutput ? readMessagesUsage({ usage: counts }) : null
  }
}

export const MESSAGES_STREAM: StreamFormat<MessagesEvent> = { readEvent, begin: createGate }

/** An error in the format of the Messages API. */
export function messagesError({ error: { type, message, code, param } }: ErrorEnvelope) {
  return { type: 'error', error: { type, message, code, ...(param === undefined ? {} : { param }) } } as const
}

/** The same as the event that ends a stream which failed. */
function errorEvent(error: ErrorEnvelope): string {
  return `event: error\ndata: ${JSON.stringify(messagesError(error))}\n\n`
}
