import { hasPart } from '../../parts/values/hasPart.ts'

/** What can be part of the name of a model, as the API checks it. */
const MODEL = /^[a-z0-9][a-z0-9._:/-]{0,99}$/

type Limited = { readonly status: string; readonly models: readonly string[] | null }

/**
 * The models that were called or that a live key is limited to, by name. The API has no list of models for the people of a
 * company, so there may be more.
 */
export function offeredModels(called: readonly string[], keys: readonly Limited[]): readonly string[] {
  const ofKeys = keys.filter(({ status }) => status === 'LIVE').flatMap(({ models }) => models ?? [])
  return [...new Set([...called, ...ofKeys])].toSorted()
}

/** The models whose name contains the text. */
export function matchingModels(models: readonly string[], text: string): readonly string[] {
  return models.filter((model) => hasPart(model, text))
}

export type Typed =
  /** Nothing that could be added: the field is empty, or a listed model has this name. */
  | { readonly kind: 'filter' }
  /** The only listed model that matches. */
  | { readonly kind: 'listed'; readonly model: string }
  | { readonly kind: 'new'; readonly model: string }
  | { readonly kind: 'impossible'; readonly why: string }

/** What Enter adds for a text that was typed into the field of the models. */
export function typedModel(models: readonly string[], text: string): Typed {
  const model = text.trim()
  if (model === '') return { kind: 'filter' }
  const [only, ...others] = models.includes(model) ? [model] : matchingModels(models, model)
  if (only && others.length === 0) return { kind: 'listed', model: only }
  if (MODEL.test(model)) return { kind: 'new', model }
  return { kind: 'impossible', why: 'A model has lower-case letters, digits and . _ : / - in its name.' }
}
