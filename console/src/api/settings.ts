import { queryOptions } from '@tanstack/react-query'
import { send } from './send.ts'

/** What the installation tells every visitor of its console. */
export type Settings = {
  /** Where callers reach the gateway, without the path of its API; null if the installation does not say. */
  readonly gatewayUrl: string | null
}

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async (): Promise<Settings> => {
    const { ok, body } = await send('GET', '/console/settings')
    return ok ? (body as Settings) : { gatewayUrl: null }
  },
  staleTime: Number.POSITIVE_INFINITY,
})
