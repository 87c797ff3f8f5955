import { type Query, useQuery } from '@tanstack/react-query'
import { execute } from '../api/execute.ts'
import type { TypedDocumentString } from '../graphql/generated.ts'

/** The pages of super admins, which show the installation and no company. */
export const PLATFORM_PAGES = ['/companies', '/prices', '/models', '/setup', '/operations'] as const

export function isPlatformPage(pathname: string): boolean {
  return (PLATFORM_PAGES as readonly string[]).includes(pathname)
}

/** All that super admins read about the installation is below this key, so that a change can have it read again. */
export const PLATFORM = 'platform'

type Key = readonly [string, string, unknown]
type Options<Result> = {
  readonly enabled?: boolean
  readonly refetchInterval?: number | ((query: Query<Result, Error, Result, Key>) => number)
}

/** A query of what belongs to no company. */
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
