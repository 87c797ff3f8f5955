import { expect, test } from 'vitest'
import { faultsOf, mintInput, NEW_KEY, updateInput } from './keyForm.ts'

test('by default, a new key has only a name and the default scopes', () => {
  expect(mintInput({ ...NEW_KEY, name: ' first ' })).toEqual({
    name: 'first',
    scopes: ['inference:chat', 'inference:parse', 'usage:read'],
  })
})

test('models are separated by commas or spaces', () => {
  const { models } = mintInput({ ...NEW_KEY, name: 'k', models: ' svc/chat-default,  svc/fast svc/embed,' })
  expect(models).toEqual(['svc/chat-default', 'svc/fast', 'svc/embed'])
})

test('an edit sends what was changed and nothing else', () => {
  const before = { ...NEW_KEY, name: 'k', rpm: '60', budget: '5', models: 'a' }
  expect(updateInput(before, before)).toEqual({})
  expect(updateInput(before, { ...before, rpm: '70' })).toEqual({ rpm: 70 })
  expect(updateInput(before, { ...before, period: 'DAY' })).toEqual({ budget: { credits: 5, period: 'DAY' } })
})

test('an emptied field removes the budget, the label, the models and the expiry', () => {
  const before = { ...NEW_KEY, name: 'k', budget: '5', label: 'x', models: 'a', expires: '2030-01-01T00:00' }
  const after = { ...before, budget: '', label: ' ', models: '', expires: '' }
  expect(updateInput(before, after)).toEqual({ budget: null, label: null, models: null, expiresAt: null })
})

test('changing the period without a budget changes nothing', () => {
  expect(updateInput(NEW_KEY, { ...NEW_KEY, period: 'DAY' })).toEqual({})
})

test('a name, a scope and valid numbers are required', () => {
  const draft = { ...NEW_KEY, scopes: [], rpm: '0', tpm: '1.5', budget: '0.0000001' }
  expect(Object.keys(faultsOf(draft)).toSorted()).toEqual(['budget', 'name', 'rpm', 'scopes', 'tpm'])
  expect(faultsOf({ ...NEW_KEY, name: 'k', rpm: '60', budget: '0.000001' })).toEqual({})
})
