import { request } from 'undici'
import type { Clock } from '../../platform/clock/clock.ts'
import { within } from '../../platform/clock/within.ts'
import type { Provider, ProviderTable } from './providersFile.ts'

const PROBE_MS_MAX = 3_000
/** Further providers are not asked: a few lists of models are enough to know that a set-up works. */
const PROBED_PROVIDERS_MAX = 50

/** A provider that cannot serve calls, and why. */
export type ProviderFault = { readonly provider: string; readonly fault: string }

/**
 * Asks each provider for its list of models, which costs nothing. Any answer other than a refused key or a server error
 * means that calls can reach it: not every provider has such a list.
 */
export async function providerFaults(table: ProviderTable, clock: Clock): Promise<ProviderFault[]> {
  const providers = Object.values(table).flatMap((alias) => alias?.providers ?? [])
  const distinct = new Map(providers.map((provider) => [`${provider.name} ${provider.baseUrl}`, provider]))
  const probed = [...distinct.values()].slice(0, PROBED_PROVIDERS_MAX)
  const faults = await Promise.all(
    probed.map(async (provider) => ({ provider: provider.name, fault: await faultOf(provider, clock) })),
  )
  return faults.filter((each): each is ProviderFault => each.fault !== null)
}

async function faultOf({ baseUrl, apiKey, wires }: Provider, clock: Clock): Promise<string | null> {
  const stopping = new AbortController()
  try {
    const headers = keyHeaders(apiKey, wires)
    const answered = request(`${baseUrl.replace(/\/$/, '')}/models`, { headers, signal: stopping.signal }).then(
      async (answer) => {
        await answer.body.dump({ limit: 65_536, signal: stopping.signal })
        return answer.statusCode
      },
    )
    const status = await within(answered, PROBE_MS_MAX, clock)
    if (status === 401 || status === 403) return `refuses its key (${status})`
    return status >= 500 ? `answers ${status}` : null
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return `cannot be reached (${code ?? message})`
  } finally {
    stopping.abort()
  }
}

/** A provider with only the Messages API expects its key in another header. */
function keyHeaders(apiKey: string | null, wires: Provider['wires']): Record<string, string> {
  if (apiKey === null) return {}
  const isMessagesOnly = wires?.every((wire) => wire === 'messages') ?? false
  return isMessagesOnly
    ? { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${apiKey}` }
}
