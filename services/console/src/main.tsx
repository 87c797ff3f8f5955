import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError, isSignedOut } from './api/apiError.ts'
import { sessionQuery } from './api/session.ts'
import { consoleRouter } from './router.tsx'
import { applyTheme, readTheme } from './shell/theme.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/parts.css'
import './styles/table.css'
import './styles/layers.css'
import './styles/shell.css'
import './styles/installation.css'

const RETRIES_MAX = 2

applyTheme(readTheme())

// After an upgrade the server no longer has the files that an open page would load next.
addEventListener('vite:preloadError', () => location.reload())

const queries = new QueryClient({
  queryCache: new QueryCache({
    // The session has ended while the page was open.
    onError: (error) => {
      if (!isSignedOut(error)) return
      queries.setQueryData(sessionQuery.queryKey, null)
      void router.invalidate()
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal stays one; only a server that is away may be back in a moment.
      retry: (failures, error) => failures < RETRIES_MAX && error instanceof ApiError && error.code === 'NETWORK',
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
