import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isAway, isSignedOut } from './api/apiError.ts'
import { serverAnswers } from './api/loadPage.ts'
import { endSession, sessionQuery } from './api/session.ts'
import { consoleRouter } from './router.tsx'
import { applyTheme, readTheme } from './shell/theme.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/parts.css'
import './styles/table.css'
import './styles/tableCards.css'
import './styles/layers.css'
import './styles/shell.css'
import './styles/installation.css'
import './styles/prices.css'

const RETRIES_MAX = 2

applyTheme(readTheme())

// After an upgrade the server no longer has the files that an open page would load next.
addEventListener('vite:preloadError', () => {
  void serverAnswers().then((answers) => answers && location.reload())
})

/** The session may have ended while the page was open; signing in leads back to the page. */
const onError = (error: Error) => {
  if (!isSignedOut(error)) return
  // A wrong password does not end the session.
  if (queries.getQueryData(sessionQuery.queryKey)) endSession(queries)
  void router.invalidate()
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Retrying helps only if the server is away; a refusal would be repeated.
      retry: (failures, error) => failures < RETRIES_MAX && isAway(error),
    },
  },
})
const router = consoleRouter(queries)

const place = document.getElementById('console')
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
