import { z } from 'zod'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { WrongUsage } from '../cli/command.ts'
import type { Decimal } from './decimal.ts'
import type { ImportedPrice, ImportedPrices } from './importedPrice.ts'
import { liteLlmPrice } from './liteLlmPrice.ts'

/**
 * LiteLLM's public list: model → what its provider charges, in dollars. A credit is worth a dollar unless `times` says
 * otherwise.
 */
const list = z.record(z.string(), z.record(z.string(), z.unknown()))

const NAMED_MAX = 5

type Options = {
  readonly providers: ProviderTable
  /** The entry of the list for an alias, where the model of its provider does not name one. */
  readonly entries: ReadonlyMap<string, string>
  readonly times: Decimal
}

/** Reads a list whose numbers are exact, see `parseExactly`. */
export function liteLlmPrices(json: unknown, { providers, entries, times: factor }: Options): ImportedPrices {
  const models = list.safeParse(json).data
  if (models === undefined) throw new WrongUsage('the file is not a list of models with their prices')
  const prices = new Map<string, ImportedPrice>()
  const missing = new Map<string, string>()
  for (const alias of new Set([...Object.keys(providers), ...entries.keys()])) {
    const found = entryOf(models, entries.get(alias) ?? null, providers[alias]?.providers[0].model ?? alias)
    if ('missing' in found) missing.set(alias, found.missing)
    else {
      const imported = liteLlmPrice(found.name, models[found.name] ?? {}, factor)
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
