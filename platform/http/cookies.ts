import type { IncomingMessage } from 'node:http'

/**
 * The value of a cookie; null if it is missing. Two values under one name are refused as well: one of them was set by
 * another site of the same host, and nothing tells which.
 */
export function cookieValue({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | null {
  const values = new Set(
    (headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1)),
  )
  const [value, ...others] = values
  return value === undefined || value === '' || others.length > 0 ? null : value
}
