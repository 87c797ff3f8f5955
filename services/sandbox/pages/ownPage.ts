import type { IncomingMessage } from 'node:http'
import { HttpError } from '../../../platform/http/answer/httpError.ts'

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/

/**
 * Refuses requests from pages of other origins. The sandbox has no passwords, so a foreign page in the same browser must
 * not be able to press its buttons or read its mails. Programs send no origin and pass.
 */
export function requireOwnPage({ headers }: IncomingMessage): void {
  const { host = '', origin } = headers
  if (LOOPBACK.test(host) && (origin === undefined || origin === `http://${host}`)) return
  throw new HttpError(403, 'The sandbox answers only on loopback, to its own pages and to programs.')
}

/** Whether the client prefers a page over JSON. */
export function prefersHtml({ headers }: IncomingMessage): boolean {
  const accepted = (headers.accept ?? '').split(',').map((type) => {
    const [name = '', ...settings] = type
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    const quality = settings.find((setting) => setting.startsWith('q='))?.slice(2)
    return { name, quality: Number(quality ?? 1) }
  })
  const qualityOf = (name: string) => accepted.find((type) => type.name === name)?.quality ?? 0
  return qualityOf('text/html') > qualityOf('application/json')
}
