import { expect, test } from 'vitest'
import { matchingModels, offeredModels, typedModel } from './models.ts'

const MODELS = ['svc/chat', 'svc/chat-large', 'svc/embed']

test('models of calls and of live keys are offered once each, by name', () => {
  const keys = [
    { status: 'LIVE', models: ['svc/embed', 'svc/chat'] },
    { status: 'LIVE', models: null },
    { status: 'REVOKED', models: ['svc/mistyped'] },
  ]
  expect(offeredModels(['svc/chat-large', 'svc/chat'], keys)).toEqual(MODELS)
})

test('part of a name finds its models', () => {
  expect(matchingModels(MODELS, ' CHAT')).toEqual(['svc/chat', 'svc/chat-large'])
})

test('an exact name, or one that a single model matches, chooses that model', () => {
  expect(typedModel(MODELS, 'svc/chat')).toEqual({ kind: 'listed', model: 'svc/chat' })
  expect(typedModel(MODELS, 'emb')).toEqual({ kind: 'listed', model: 'svc/embed' })
})

test('a model that is not listed can be added, unless no model can have the name', () => {
  expect(typedModel(MODELS, ' svc/new ')).toEqual({ kind: 'new', model: 'svc/new' })
  expect(typedModel(MODELS, 'svc new')).toMatchObject({ kind: 'impossible' })
  expect(typedModel(MODELS, '  ')).toEqual({ kind: 'filter' })
})
