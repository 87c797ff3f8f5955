import { readFileSync } from 'node:fs'

const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The version of this program and of each of its interfaces. */
export const VERSION = (manifest as { readonly version: string }).version
