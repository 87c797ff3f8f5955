import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { PATIENCE } from '../support/time/patience.ts'

/** How long a page may take for one step. Only against pages that hang: a step takes a second on a busy machine. */
export const PAGE_MS_MAX = 60_000 * PATIENCE

export type Visit = { readonly page: Page; readonly requestedUrls: string[]; readonly faults: string[] }

/** The page, with every URL that it requested and every error that it reported. */
export async function visit(open: Browser, url: string): Promise<Visit> {
  const page = await open.newPage()
  page.setDefaultTimeout(PAGE_MS_MAX)
  const requestedUrls: string[] = []
  const faults: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await page.goto(url)
  return { page, requestedUrls, faults }
}

export function expectLoopbackOnly(requestedUrls: readonly string[]): void {
  expect(requestedUrls.length).toBeGreaterThan(3)
  for (const url of requestedUrls) {
    if (url.startsWith('data:')) continue
    expect(new URL(url).hostname).toBe('127.0.0.1')
  }
}
