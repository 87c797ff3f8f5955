import { existsSync, readFileSync } from 'node:fs'
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js'

export type NodeAddress = { readonly address: string; readonly port: number }

/** The parts of EVENTSTORE_URL, as the store's client reads them. */
export type StoreAddress = {
  readonly seeds: readonly NodeAddress[]
  /** Whether to ask the seeds which node leads; otherwise there is one node, which gets all requests. */
  readonly isCluster: boolean
  /** Null without TLS. An empty object means the certificate authorities that Node trusts. */
  readonly certificates: Certificates | null
  readonly user: { readonly username: string; readonly password: string } | undefined
  readonly keepAlive: { readonly intervalMs: number; readonly timeoutMs: number }
}

/** In PEM. */
export type Certificates = { readonly ca?: Buffer; readonly key?: Buffer; readonly cert?: Buffer }

const FORM = 'esdb://[user:password@]host:port[,host:port…][?option=value&…], or esdb+discover://…'
const KEEP_ALIVE_INTERVAL_MS = 10_000
const KEEP_ALIVE_TIMEOUT_MS = 5_000

/** Throws an error that says what is wrong, without the password. */
export function parseStoreAddress(text: string): StoreAddress {
  const { user, rest } = withoutUser(text)
  const parsed = parseWithoutUser(rest)
  const { hosts, dnsDiscover, tls, keepAliveInterval, keepAliveTimeout } = parsed
  const wrong = hosts.find(({ port }) => !Number.isInteger(port) || port < 1 || port > 65_535)
  if (wrong) throw new Error(`${wrong.address} has the port ${wrong.port}, which must be between 1 and 65535`)
  return {
    seeds: hosts.map(({ address, port }) => ({ address, port })),
    isCluster: dnsDiscover || hosts.length > 1,
    certificates: tls === false ? null : certificatesOf(parsed),
    user,
    keepAlive: {
      intervalMs: keepAliveInterval ?? KEEP_ALIVE_INTERVAL_MS,
      timeoutMs: keepAliveTimeout ?? KEEP_ALIVE_TIMEOUT_MS,
    },
  }
}

export function shownAddress({ address, port }: NodeAddress): string {
  return `${address}:${port}`
}

/** Without the user, because the client repeats its input in errors and on the console. */
function withoutUser(text: string): { readonly user: StoreAddress['user']; readonly rest: string } {
  const found = /^(?<scheme>[a-z+]+:\/\/)(?<userInfo>[^/?]*)@(?<rest>.*)$/s.exec(text.trim())?.groups
  if (!found) return { user: undefined, rest: text }
  const { scheme = '', userInfo = '', rest = '' } = found
  const colon = userInfo.indexOf(':')
  if (colon < 1 || colon === userInfo.length - 1) {
    throw new Error('the part before the @ must be user:password')
  }
  return {
    user: { username: decoded(userInfo.slice(0, colon)), password: decoded(userInfo.slice(colon + 1)) },
    rest: `${scheme}${rest}`,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('a % in the user or the password must be written as %25')
  }
}

function parseWithoutUser(text: string): ReturnType<typeof parseConnectionString> {
  try {
    return parseConnectionString(text)
  } catch (error) {
    throw new Error(`the address ${text} cannot be read: ${(error as Error).message} The form is ${FORM}`)
  }
}

type CertificateFiles = Pick<ReturnType<typeof parseConnectionString>, 'tlsCAFile' | 'userCertFile' | 'userKeyFile'>

function certificatesOf({ tlsCAFile, userCertFile, userKeyFile }: CertificateFiles): Certificates {
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
