import { expect, test } from 'vitest'
import { callerParam, translateFault } from './translateFault.ts'

test.each([
  ['max_output_tokens', 'chat', 'responses', 'max_completion_tokens'],
  ['max_tokens', 'responses', 'messages', 'max_output_tokens'],
  ['messages[3].content', 'responses', 'chat', 'input'],
  ['messages.3.content', 'chat', 'messages', 'messages'],
  ['text.format', 'messages', 'responses', 'output_config.format'],
  ['stop', 'responses', 'chat', null],
  ['tools[0].function.name', 'messages', 'chat', 'tools'],
  ['account', 'chat', 'messages', null],
  ['__proto__', 'chat', 'messages', null],
] as const)('%s is, for a caller of %s, what a provider of %s names so: %s', (param, caller, provider, expected) => {
  expect(callerParam(param, caller, provider)).toBe(expected)
})

test('an error of Messages about the context has the code that clients of chat act on', () => {
  const error = { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }
  const way = { caller: 'chat', provider: 'messages' } as const
  expect(translateFault(error, way)).toEqual({ code: 'context_length_exceeded', param: null })
  expect(translateFault({ ...error, message: 'No' }, way)).toBeNull()
})

test('the field of an error is named as the caller wrote it', () => {
  const error = { code: 'rate_limit_exceeded', param: 'max_output_tokens' }
  const fault = translateFault(error, { caller: 'messages', provider: 'responses' })
  expect(fault).toEqual({ code: 'rate_limit_exceeded', param: 'max_tokens' })
})
