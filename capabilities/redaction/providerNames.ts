import type { ProviderTable } from '../providers/providersFile.ts'

/** What identifies the providers behind the aliases and their models. */
export type ProviderNames = { readonly models: readonly string[]; readonly providers: readonly string[] }

/** A shorter last part of a model's name is too common a word. */
const LAST_PART_CHARS_MIN = 3

export function providerNames(tables: readonly ProviderTable[]): ProviderNames {
  const models = new Set<string>()
  const providers = new Set<string>()
  for (const { name, model, baseUrl } of providersIn(tables)) {
    models.add(model)
    // Providers of several vendors' models name them vendor/model, and often report the second part alone.
    const last = model.slice(model.lastIndexOf('/') + 1)
    if (last.length >= LAST_PART_CHARS_MIN) models.add(last)
    providers.add(name)
    for (const host of hostsOf(baseUrl)) providers.add(host)
  }
  return { models: [...models], providers: [...providers] }
}

export function providersIn(tables: readonly ProviderTable[]) {
  return tables.flatMap((table) => Object.values(table).flatMap((entry) => entry?.providers ?? []))
}

/** The host, and its domain, where a provider has its documentation. */
function hostsOf(baseUrl: string): string[] {
  const { hostname } = new URL(baseUrl)
  const labels = hostname.split('.')
  const isAddress = /^[\d.]+$|:/.test(hostname)
  return labels.length > 2 && !isAddress ? [hostname, labels.slice(-2).join('.')] : [hostname]
}
