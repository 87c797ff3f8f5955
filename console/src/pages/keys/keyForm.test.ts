import { expect, test } from 'vitest'
import { faultsOf, mintInput, NEW_KEY, updateInput } from './keyForm.ts'

test('by default, a new key has only a name and the default scopes', () => {
  expect(mintInput({ ...NEW_KEY, name: ' first ' })).toEqual({
    name: 'first',
    scopes: ['inference:chat', 'inference:parse', 'usage:read'],
  })
})

test('chosen models count only while the key is limited to them', () => {
  const draft = { ...NEW_KEY, name: 'k', models: ['svc/fast', 'svc/embed'] }
  expect(mintInput({ ...draft, isLimited: true }).models).toEqual(['svc/fast', 'svc/embed'])
  expect(mintInput(draft).models).toBeUndefined()
})

test('a limited key needs a model, and a typed one has to be added first', () => {
  const draft = { ...NEW_KEY, name: 'k', isLimited: true }
  expect(faultsOf(draft)).toEqual({ models: 'Choose at least one model, or allow every model.' })
  expect(faultsOf({ ...draft, models: ['a'], typedModel: ' svc/fast' })).toEqual({
    typedModel: 'Choose or add “svc/fast”, or empty the field.',
  })
  expect(faultsOf({ ...draft, isLimited: false, typedModel: 'svc/fast' })).toEqual({})
})

test('an edit sends what was changed and nothing else', () => {
  const before = { ...NEW_KEY, name: 'k', rpm: '60', budget: '5', isLimited: true, models: ['a'] }
  expect(updateInput(before, before)).toEqual({})
  expect(updateInput(before, { ...before, rpm: '70' })).toEqual({ rpm: 70 })
  expect(updateInput(before, { ...before, models: ['a', 'b'] })).toEqual({ models: ['a', 'b'] })
  expect(updateInput(before, { ...before, period: 'DAY' })).toEqual({ budget: { credits: 5, period: 'DAY' } })
})

test('an emptied field removes the budget, the label and the expiry, and “Every model” the models', () => {
  const limited = { isLimited: true, models: ['a'] }
  const before = { ...NEW_KEY, ...limited, name: 'k', budget: '5', label: 'x', expires: '2030-01-01T00:00' }
  const after = { ...before, budget: '', label: ' ', isLimited: false, expires: '' }
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

test('a key gets a project, a fixed label, a limit of calls in flight and networks, and loses them again', () => {
  const more = { project: 'p', label: 'a', labelFixed: true, callsInFlight: '3', networks: '10.0.0.0/8, 2001:db8::/32' }
  const draft = { ...NEW_KEY, name: 'k', ...more }
  const sent = { projectId: 'p', labelFixed: true, callsInFlight: 3, networks: ['10.0.0.0/8', '2001:db8::/32'] }
  expect(faultsOf(draft)).toEqual({})
  expect(mintInput(draft)).toMatchObject({ label: 'a', ...sent })
  const removed = { projectId: null, labelFixed: false, callsInFlight: null, networks: null }
  expect(updateInput(draft, { ...NEW_KEY, name: 'k', label: 'a' })).toEqual(removed)
})

test('a fixed label has to be named, and calls in flight and networks have to be valid', () => {
  const draft = { ...NEW_KEY, name: 'k', labelFixed: true, callsInFlight: '0', networks: '10.0.0.1' }
  expect(Object.keys(faultsOf(draft)).toSorted()).toEqual(['callsInFlight', 'label', 'networks'])
})
