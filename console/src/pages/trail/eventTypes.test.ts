import { expect, test } from 'vitest'
import { titleOf, titlesOf, typeOf } from './eventTypes.ts'

test.each([
  ['ApiKeyMinted', 'API key minted'],
  ['CreditsGranted', 'Credits granted'],
])('%s is shown as “%s”, and found by it', (type, title) => {
  expect(titleOf(type)).toBe(title)
  expect(typeOf(title)).toBe(type)
  expect(typeOf(title.toLowerCase())).toBe(type)
})

test('a type that is typed stays as it is, and no text is no type', () => {
  expect(typeOf('CreditsGranted')).toBe('CreditsGranted')
  expect(typeOf('')).toBe('')
})

test('each title of the shown events is offered once', () => {
  const entries = ['UserInvited', 'ApiKeyMinted', 'UserInvited'].map((type) => ({ type }))
  expect(titlesOf(entries)).toEqual(['API key minted', 'User invited'])
})
