import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type SessionUser, sessionQuery } from '../api/session.ts'

/** Signs a person in by what `enter` does, and leads to the page that was asked for, or to the first one of their role. */
export function useEntrance<Input>(enter: (input: Input) => Promise<SessionUser | null>, to?: string) {
  const queries = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: enter,
    onSuccess: (user) => {
      // What another person saw in this browser must not show.
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, user)
      // GraphiQL is a page of the server, which this router does not have.
      if (to === '/graphql') window.location.assign(to)
      else router.history.push(to ?? startPage(user))
    },
  })
}

/** Auditors come for the statement; everybody else begins with the overview. */
function startPage(user: SessionUser | null): '/' | '/statement' {
  return user?.role === 'AUDITOR' ? '/statement' : '/'
}
