import { readFileSync } from 'node:fs'

const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The version of this program, which is that of each of its interfaces too. */
export const VERSION = (manifest as { readonly version: string }).version
