import { z } from 'zod'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { WrongUsage } from '../cli/command.ts'
import { type Decimal, decimalOf, times, wholeUnits } from './decimal.ts'
import type { ImportedPrice, ImportedPrices, RateName } from './importedPrice.ts'

/**
 * LiteLLM's public list: model → what its provider charges. Prices are in dollars per token or per request, a credit is
 * worth a dollar unless `times` says otherwise.
 */
const entry = z.record(z.string(), z.unknown())
const list = z.record(z.string(), entry)

/** The fields that are a rate here, the power of ten of its unit, and the rate that one without the field costs. */
const FIELDS: Readonly<Record<string, { readonly rate: RateName; readonly unitExponent: number }>> = {
  input_cost_per_token: { rate: 'inputMicrosPerMillionTokens', unitExponent: -12 },
  output_cost_per_token: { rate: 'outputMicrosPerMillionTokens', unitExponent: -12 },
  cache_read_input_token_cost: { rate: 'cachedInputMicrosPerMillionTokens', unitExponent: -12 },
  cache_creation_input_token_cost: { rate: 'cacheWriteMicrosPerMillionTokens', unitExponent: -12 },
  input_cost_per_request: { rate: 'perCallMicros', unitExponent: -6 },
}
/** Kinds of models whose price is one of tokens. */
const MODES = new Set<unknown>(['chat', 'completion', 'responses', 'embedding'])
const NAMED_MAX = 5

type Options = {
  readonly providers: ProviderTable
  /** The entry of the list for an alias, where the model of its provider does not name one. */
  readonly entries: ReadonlyMap<string, string>
  readonly times: Decimal
}

export function liteLlmPrices(json: unknown, { providers, entries, times: factor }: Options): ImportedPrices {
  const models = list.safeParse(json).data
  if (models === undefined) throw new WrongUsage('the file is not a list of models with their prices')
  const prices = new Map<string, ImportedPrice>()
  const missing = new Map<string, string>()
  for (const alias of new Set([...Object.keys(providers), ...entries.keys()])) {
    const found = entryOf(models, entries.get(alias) ?? null, providers[alias]?.providers[0].model ?? alias)
    if ('missing' in found) missing.set(alias, found.missing)
    else {
      const imported = priceOf(found.name, models[found.name] ?? {}, factor)
      if ('missing' in imported) missing.set(alias, imported.missing)
      else prices.set(alias, imported)
    }
  }
  return { prices, missing }
}

type Models = z.infer<typeof list>

/** The entry that is named, or that of the model, alone or after the name of the only provider that has it. */
function entryOf(models: Models, named: string | null, model: string): { name: string } | { missing: string } {
  const wanted = named ?? model
  if (Object.hasOwn(models, wanted)) return { name: wanted }
  const longer = Object.keys(models).filter((name) => name.endsWith(`/${wanted}`))
  const [only] = longer
  if (only !== undefined && longer.length === 1) return { name: only }
  if (only === undefined) return { missing: `the list has no entry ${wanted}` }
  const some = longer.slice(0, NAMED_MAX).join(', ')
  return { missing: `the list has ${longer.length} entries for ${wanted}: name one with --entry, such as ${some}` }
}

function priceOf(name: string, fields: z.infer<typeof entry>, factor: Decimal): ImportedPrice | { missing: string } {
  if (!MODES.has(fields.mode))
    return { missing: `${name} is of kind ${JSON.stringify(fields.mode)}, which has no price by tokens` }
  const rates: Partial<Record<RateName, string>> = {}
  const left: string[] = []
  for (const [field, value] of Object.entries(fields)) {
    if (!field.includes('cost') || value === null || value === 0) continue
    const known = FIELDS[field]
    if (known === undefined || typeof value !== 'number') left.push(field)
    else
      rates[known.rate] = wholeUnits(
        times(decimalOf(String(value), `${name}, ${field}`), factor),
        known.unitExponent,
      ).toString()
  }
  const { inputMicrosPerMillionTokens: input, outputMicrosPerMillionTokens: output } = rates
  if (input === undefined) return { missing: `${name} has no input_cost_per_token` }
  // Models for embeddings answer with no tokens, so the list has no price for them.
  if (output === undefined && fields.mode !== 'embedding') return { missing: `${name} has no output_cost_per_token` }
  const price = { ...rates, inputMicrosPerMillionTokens: input, outputMicrosPerMillionTokens: output ?? '0' }
  return { price, from: name, left: left.toSorted() }
}
