import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'

/** How long a page may take for one step. Only against pages that hang: a step takes a second on a busy machine. */
export const PAGE_MS_MAX = 60_000

export type Visit = { readonly page: Page; readonly asked: string[]; readonly faults: string[] }

/** The page, with every address that it asked for and everything that it complained of. */
export async function visit(open: Browser, url: string): Promise<Visit> {
  const page = await open.newPage()
  page.setDefaultTimeout(PAGE_MS_MAX)
  const asked: string[] = []
  const faults: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await page.goto(url)
  return { page, asked, faults }
}

export function expectLoopbackOnly(asked: readonly string[]): void {
  expect(asked.length).toBeGreaterThan(3)
  for (const url of asked) {
    if (url.startsWith('data:')) continue
    expect(new URL(url).hostname).toBe('127.0.0.1')
  }
}
