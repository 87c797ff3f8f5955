import type { Config } from '../../platform/config/config.ts'
import type { Secrets } from '../../platform/secrets/generatedSecrets.ts'

const SECRET_SETTING = /SECRET|TOKEN|PASSWORD|_KEY$/
const ADDRESS_SETTING = /_URL$|_API_BASE$/

/** The secrets of an installation: its own, and the passwords in the addresses of its engines. */
export function knownSecrets(config: Config, secrets: Secrets): string[] {
  const found = Object.values(secrets)
  for (const [name, value] of Object.entries(config)) {
    if (typeof value !== 'string') continue
    if (SECRET_SETTING.test(name)) found.push(value)
    else if (ADDRESS_SETTING.test(name)) found.push(...passwordsIn(value))
  }
  return [...new Set(found.filter((secret) => secret !== ''))]
}

/** The password of a URL as written and, if escaped, as sent. Some of these URLs name several hosts. */
export function passwordsIn(address: string): string[] {
  const [, rest = ''] = splitAt(address, '://')
  const authority = rest.split(/[/?#]/, 1)[0] ?? ''
  const [credentials] = splitAt(authority, '@', authority.lastIndexOf('@'))
  const [, password = ''] = splitAt(credentials, ':')
  if (password === '' || authority === credentials) return []
  return [...new Set([password, decoded(password)])]
}

function splitAt(text: string, mark: string, at = text.indexOf(mark)): [string, string?] {
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + mark.length)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
