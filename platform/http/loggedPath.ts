import type { IncomingMessage } from 'node:http'

const PATH_CHARS_MAX = 200

/**
 * The path of a request as it is logged: bounded, and without the query, which may contain anything. Node passes bytes
 * above ASCII on as characters; some of them are terminal escape sequences, which JSON does not escape.
 */
export function loggedPath({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const path = url.split('?', 1)[0] ?? ''
  return path
    .slice(0, PATH_CHARS_MAX)
    .replace(/[^\x20-\x7e]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
