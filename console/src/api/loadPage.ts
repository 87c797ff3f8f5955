import { ApiError, NO_ANSWER } from './apiError.ts'

/** Whether a server is there, and ready to serve pages. */
export function serverAnswers(): Promise<boolean> {
  return fetch('/healthz').then(
    ({ ok }) => ok,
    () => false,
  )
}

/**
 * Loads the code of a page. Without a server that is told as of any other request: by reloading, the person would leave for
 * the browser's own page about it. A server that answers has another build, and the router reloads.
 */
export async function loadPage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (await serverAnswers()) throw error
    throw new ApiError(NO_ANSWER, 'NETWORK', null)
  }
}
