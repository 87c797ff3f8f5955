import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type SessionUser, sessionQuery } from '../api/session.ts'

/** Signs a person in with `enter`, then opens the requested page, or the start page of their role. */
export function useEntrance<Input>(enter: (input: Input) => Promise<SessionUser | null>, to?: string) {
  const queries = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: enter,
    onSuccess: (user) => {
      // Data that another person saw in this browser must not show.
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, user)
      // GraphiQL is served by the backend and unknown to this router.
      if (to === '/graphql') window.location.assign(to)
      else router.history.push(to ?? startPage(user))
    },
  })
}

/** Auditors start with the statement, everybody else with the overview. */
function startPage(user: SessionUser | null): '/' | '/statement' {
  return user?.role === 'AUDITOR' ? '/statement' : '/'
}
