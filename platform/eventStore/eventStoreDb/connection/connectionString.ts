import { existsSync, readFileSync } from 'node:fs'

export type NodeAddress = { readonly address: string; readonly port: number }

/** What EVENTSTORE_URL says. Its form is the one that the store's clients share. */
export type StoreAddress = {
  readonly seeds: readonly NodeAddress[]
  /** The seeds are asked which node leads; otherwise there is one node, which gets all requests. */
  readonly isCluster: boolean
  /** Null without TLS. An empty object means the authorities that Node trusts. */
  readonly certificates: Certificates | null
  readonly user: { readonly username: string; readonly password: string } | undefined
  readonly keepAlive: { readonly intervalMs: number; readonly timeoutMs: number }
}

/** In PEM. */
export type Certificates = { readonly ca?: Buffer; readonly key?: Buffer; readonly cert?: Buffer }

const FORM = 'esdb://[user:password@]host[:port][,host[:port]…][?option=value&…], or esdb+discover://…'
const ADDRESS = /^esdb(?<discover>\+discover)?:\/\/(?:(?<user>[^/?]*)@)?(?<hosts>[^/?]*)\/*(?:\?(?<options>.*?)\/*)?$/s
const PORT_DEFAULT = 2113
const KEEP_ALIVE_INTERVAL_MS = 10_000
const KEEP_ALIVE_TIMEOUT_MS = 5_000

const OPTIONS_READ = [
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
  'keepAliveInterval',
  'keepAliveTimeout',
] as const
/** Options of the store's own clients that have no meaning here. */
const OPTIONS_IGNORED = [
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'throwOnAppendFailure',
  'tlsVerifyCert',
] as const

type Options = { readonly [name in (typeof OPTIONS_READ)[number]]?: string }

/** Throws an error that says what is wrong, without the password and without text that may be a part of it. */
export function parseStoreAddress(text: string): StoreAddress {
  const parts = ADDRESS.exec(text.trim())?.groups
  if (!parts) throw new Error(`the address cannot be read; its form is ${FORM}`)
  const seeds = (parts.hosts ?? '').split(',').map(nodeAddress)
  const options = optionsIn(parts.options ?? '')
  if (options.tls !== undefined && !['true', 'false'].includes(options.tls)) {
    throw new Error('the value of the option tls is wrong: expected true or false')
  }
  return {
    seeds,
    isCluster: parts.discover !== undefined || seeds.length > 1,
    certificates: options.tls === 'false' ? null : certificatesOf(options),
    user: parts.user === undefined ? undefined : userOf(parts.user),
    keepAlive: {
      intervalMs: milliseconds('keepAliveInterval', options) ?? KEEP_ALIVE_INTERVAL_MS,
      timeoutMs: milliseconds('keepAliveTimeout', options) ?? KEEP_ALIVE_TIMEOUT_MS,
    },
  }
}

export function shownAddress({ address, port }: NodeAddress): string {
  return `${address}:${port}`
}

function nodeAddress(host: string): NodeAddress {
  const [address = '', port = String(PORT_DEFAULT), ...more] = host.trim().split(':')
  if (!/^\d+$/.test(port) || more.length > 0)
    throw new Error(`a host has a wrong port: expected port number; the form is ${FORM}`)
  if (!/^[\w.-]+$/.test(address)) throw new Error(`a host is missing or wrong: expected host; the form is ${FORM}`)
  if (Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`${address} has the port ${port}, which must be between 1 and 65535`)
  }
  return { address, port: Number(port) }
}

/** The store's clients accept the names in any case, and with hyphens or underscores. */
function optionsIn(query: string): Options {
  const flat = (name: string) => name.trim().toLowerCase().replace(/[_-]/g, '')
  const known = [...OPTIONS_READ, ...OPTIONS_IGNORED]
  const pairs = [...new URLSearchParams(query.replaceAll('+', '%2B'))].map(([given, value]) => {
    const name = known.find((one) => flat(one) === flat(given))
    if (name === undefined) throw new Error(`an option of the address is none of ${known.join(', ')}`)
    return [name, value.trim()] as const
  })
  return Object.fromEntries(pairs)
}

function milliseconds(name: 'keepAliveInterval' | 'keepAliveTimeout', options: Options): number | undefined {
  const value = options[name]
  if (value !== undefined && !/^\d+$/.test(value))
    throw new Error(`the option ${name} must be a number of milliseconds`)
  return value === undefined ? undefined : Number(value)
}

function userOf(userInfo: string): StoreAddress['user'] {
  const [, username, password] = /^([^:]+):(.+)$/s.exec(userInfo) ?? []
  if (username === undefined || password === undefined) throw new Error('the part before the @ must be user:password')
  return { username: decoded(username), password: decoded(password) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('a % in the user or the password must be written as %25')
  }
}

function certificatesOf({ tlsCAFile, userCertFile, userKeyFile }: Options): Certificates {
  if ((userCertFile === undefined) !== (userKeyFile === undefined)) {
    throw new Error('userCertFile and userKeyFile must be given together')
  }
  return {
    ...(tlsCAFile !== undefined && { ca: certificate('tlsCAFile', tlsCAFile) }),
    ...(userKeyFile !== undefined && { key: certificate('userKeyFile', userKeyFile) }),
    ...(userCertFile !== undefined && { cert: certificate('userCertFile', userCertFile) }),
  }
}

function certificate(option: string, path: string): Buffer {
  if (!existsSync(path)) throw new Error(`the file ${path} of ${option} does not exist`)
  return readFileSync(path)
}
