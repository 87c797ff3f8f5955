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

test('a developer lowers the budget of a key but neither raises, replaces nor removes it', () => {
  const before = { ...NEW_KEY, name: 'k', budget: '5' }
  const faulty = (changed: Partial<typeof before>) => 'budget' in faultsOf({ ...before, ...changed }, before)
  expect([{}, { budget: '4' }].map(faulty)).toEqual([false, false])
  expect([{ budget: '6' }, { budget: '' }, { period: 'DAY' as const }].map(faulty)).toEqual([true, true, true])
  expect(faultsOf({ ...before, budget: '6' })).toEqual({})
  expect(faultsOf({ ...before, budget: '6' }, { ...before, budget: '' })).toEqual({})
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
