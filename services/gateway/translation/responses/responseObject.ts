import type { JsonObject } from '../../../../platform/http/body/parseJson.ts'
import type { AnswerFrame } from '../conversation/answerFrame.ts'

/** What a response repeats of its request, with the value for a request that does not say it. */
const REPEATED: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  reasoning: { effort: null, summary: null },
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
}

/** A response without output, which the members of its state then replace. */
export function responseObject({ callId, model, createdAt, request }: AnswerFrame, state: object): object {
  const repeated = Object.entries(REPEATED).map(([name, value]) => [
    name,
    Object.hasOwn(request, name) ? (request[name] ?? value) : value,
  ])
  return {
    id: `resp_${callId}`,
    object: 'response',
    created_at: createdAt,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    model,
    output: [],
    previous_response_id: null,
    store: false,
    usage: null,
    ...Object.fromEntries(repeated),
    ...state,
  }
}
