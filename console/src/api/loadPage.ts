import { ApiError, NO_ANSWER } from './apiError.ts'

/** Whether the server is up and ready to serve pages. */
export function serverAnswers(): Promise<boolean> {
  return fetch('/healthz').then(
    ({ ok }) => ok,
    () => false,
  )
}

/**
 * Loads the code of a page. If the server is away, this fails like any other request, because reloading would only show the
 * browser's own error page. If the server answers, it has a newer build, and the router reloads.
 */
export async function loadPage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (await serverAnswers()) throw error
    throw new ApiError(NO_ANSWER, 'NETWORK', null)
  }
}
