import type { IncomingMessage } from 'node:http'

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/

/**
 * Whether a request comes from a page of the sandbox, or from no page at all. The sandbox asks nobody for a password, so
 * a page from elsewhere, open in the same browser, must not be able to press its buttons or read its mails.
 */
export function isOwnPage({ headers }: IncomingMessage): boolean {
  const { host = '', origin } = headers
  if (!LOOPBACK.test(host)) return false
  return origin === undefined || origin === `http://${host}`
}

/** Whether whoever asks would rather see a page than JSON. */
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
