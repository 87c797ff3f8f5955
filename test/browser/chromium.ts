import { existsSync } from 'node:fs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The machine's browser; null where there is none. */
export function findChromium(): string | null {
  const { CHROMIUM } = process.env
  if (CHROMIUM) return CHROMIUM
  return PLACES.find((path) => existsSync(path)) ?? null
}
