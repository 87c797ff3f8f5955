import { type Query, useQuery } from '@tanstack/react-query'
import { execute } from '../api/execute.ts'
import type { TypedDocumentString } from '../graphql/generated.ts'

/** The pages of super admins, which show the installation and no company. */
export const PLATFORM_PAGES = ['/companies', '/payments', '/prices', '/models', '/setup', '/operations'] as const

export function isPlatformPage(pathname: string): boolean {
  return (PLATFORM_PAGES as readonly string[]).includes(pathname)
}

/** The query key prefix of all installation-wide data, so that a mutation can invalidate it. */
export const PLATFORM = 'platform'

type Key = readonly [string, string, unknown]
type Options<Result> = {
  readonly enabled?: boolean
  readonly refetchInterval?: number | ((query: Query<Result, Error, Result, Key>) => number | false)
}

/** A query of installation-wide data. */
export function usePlatformQuery<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  options: Options<Result> = {},
) {
  return useQuery({
    queryKey: [PLATFORM, document.toString(), variables] as Key,
    queryFn: () => execute(document, variables),
    ...options,
  })
}
