import { requireAnswerChars } from './answerSize.ts'
import { modelCall } from './modelCall.ts'
import { type Answer, answerTo } from './question.ts'
import { type ResponsesRequest, responsesQuestion, responsesRequest } from './responsesSchema.ts'
import { isLongWish } from './wishes.ts'

export const responses = modelCall({
  path: '/v1/responses',
  summary: 'A response, whole or streamed',
  schema: responsesRequest,
  namesEvents: true,
  isLong: (request) => isLongWish(responsesQuestion(request).turns.at(-1)?.text ?? ''),
  answer: (request, { uuid, createdSeconds }) => {
    const answer = answerTo(responsesQuestion(request))
    const { delayMs } = answer
    const text = answer.pieces.join('')
    requireAnswerChars(text.length)
    const item = itemOf(uuid, answer, text, 'completed')
    const head = headOf(request, `resp_${uuid}`, createdSeconds)
    const isCut = answer.finishReason === 'length'
    const whole = {
      ...head,
      status: isCut ? 'incomplete' : 'completed',
      incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
      output: [item],
      usage: usageOf(answer),
    }
    return request.stream ? { delayMs, events: eventsOf(uuid, answer, text, head, whole) } : { delayMs, whole }
  },
})

function headOf(request: ResponsesRequest, id: string, createdAt: number) {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: {},
    model: request.model,
    output: [] as object[],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: request.text ?? { format: { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: null,
  }
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function itemOf(uuid: string, { tool }: Answer, text: string, status: 'in_progress' | 'completed') {
  if (tool !== null) {
    return { id: `fc_${uuid}`, type: 'function_call', status, call_id: `call_${uuid}`, name: tool, arguments: text }
  }
  const content = status === 'completed' ? [textPart(text)] : []
  return { id: `msg_${uuid}`, type: 'message', status, role: 'assistant', content }
}

function* eventsOf(uuid: string, answer: Answer, text: string, head: object, whole: object): Generator<object> {
  let sequence = 0
  const event = (type: string, fields: object) => ({ type, sequence_number: sequence++, ...fields })
  yield event('response.created', { response: head })
  yield event('response.in_progress', { response: head })
  const item = itemOf(uuid, answer, '', 'in_progress')
  const place = { item_id: item.id, output_index: 0 }
  yield event('response.output_item.added', { output_index: 0, item })
  if (answer.tool === null) {
    const inPart = { ...place, content_index: 0 }
    yield event('response.content_part.added', { ...inPart, part: textPart('') })
    for (const delta of answer.pieces) yield event('response.output_text.delta', { ...inPart, delta, logprobs: [] })
    yield event('response.output_text.done', { ...inPart, text, logprobs: [] })
    yield event('response.content_part.done', { ...inPart, part: textPart(text) })
  } else {
    for (const delta of answer.pieces) yield event('response.function_call_arguments.delta', { ...place, delta })
    yield event('response.function_call_arguments.done', { ...place, name: answer.tool, arguments: text })
  }
  yield event('response.output_item.done', { output_index: 0, item: itemOf(uuid, answer, text, 'completed') })
  const end = answer.finishReason === 'length' ? 'response.incomplete' : 'response.completed'
  yield event(end, { response: whole })
}

function usageOf({ tokensIn, tokensOut }: Answer) {
  return {
    input_tokens: tokensIn,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: tokensOut,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokensIn + tokensOut,
  }
}
