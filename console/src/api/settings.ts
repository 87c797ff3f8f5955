import { queryOptions } from '@tanstack/react-query'
import { send } from './send.ts'

/** Settings that every visitor of the console may see. */
export type Settings = {
  /** The gateway's public URL without the API path; null if not configured. */
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
