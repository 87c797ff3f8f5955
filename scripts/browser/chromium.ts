import { existsSync } from 'node:fs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const MISSING = 'no Chromium on this machine: install it (apt-get install chromium), or name it in CHROMIUM'

/** The machine's browser; null if there is none. */
export function findChromium(): string | null {
  const { CHROMIUM } = process.env
  if (CHROMIUM) return CHROMIUM
  return PLACES.find((path) => existsSync(path)) ?? null
}
