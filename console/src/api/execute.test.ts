import { expect, test } from 'vitest'
import { wordsOf } from './execute.ts'

test('the message of an error does not name the operation that failed', () => {
  const path = ['rotateApiKey', 'apiKey']
  expect(wordsOf({ message: 'rotateApiKey is for OWNER, ADMIN, and you are AUDITOR', path })).toBe(
    'This is for OWNER, ADMIN, and you are AUDITOR.',
  )
})

test('an error without a path keeps its message', () => {
  expect(wordsOf({ message: 'name: give the key a name' })).toBe('Name: give the key a name.')
})

test('what a suspended company is refused is explained without the operation', () => {
  const message = 'your company is suspended, so mintApiKey is refused; its owner has the reason by mail'
  expect(wordsOf({ message, path: ['mintApiKey'], extensions: { reason: 'COMPANY_SUSPENDED' } })).toBe(
    'The company is suspended, so this is refused. Its owner has the reason by mail.',
  )
})
