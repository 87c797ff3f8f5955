import type { TranslatedWire } from '../../../services/gateway/translation/conversation/reasoningState.ts'

type Json = Readonly<Record<string, unknown>>

/** The next request of a client that sends an answer back as it got it, with a result for each of its tool calls. */
export const NEXT_REQUESTS: Readonly<Record<TranslatedWire, (answer: Json) => object>> = {
  chat(answer) {
    const [choice] = answer.choices as { message: { tool_calls?: { id: string }[] } }[]
    const calls = choice?.message.tool_calls ?? []
    const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'done' }))
    const next = { role: 'user', content: 'Go on.' }
    return { model: 'm', messages: [{ role: 'user', content: 'Hello' }, choice?.message, ...results, next] }
  },
  messages(answer) {
    const blocks = answer.content as { type: string; id: string }[]
    const calls = blocks.filter(({ type }) => type === 'tool_use')
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'done' }))
    const content = [...results, { type: 'text', text: 'Go on.' }]
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: blocks },
      { role: 'user', content },
    ]
    return { model: 'm', max_tokens: 100, messages }
  },
  responses(answer) {
    const items = answer.output as { type: string; call_id: string }[]
    const calls = items.filter(({ type }) => type === 'function_call')
    const results = calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'done' }))
    const input = [{ role: 'user', content: 'Hello' }, ...items, ...results, { role: 'user', content: 'Go on.' }]
    return { model: 'm', input, store: false }
  },
}
