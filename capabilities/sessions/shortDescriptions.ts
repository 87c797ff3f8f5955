import { isIPv4 } from 'node:net'
import { networkOf } from '../../platform/http/limits/clientAddress.ts'

const BROWSERS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
]
const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]
const USER_AGENT_CHARS_MAX = 500

/** "Firefox on Linux": enough for people to recognise their own session, and too little to identify anybody. */
export function deviceOf(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, USER_AGENT_CHARS_MAX)
  const named = (names: typeof BROWSERS) => names.find(([, mark]) => mark.test(text))?.[0]
  const browser = named(BROWSERS) ?? 'Unknown browser'
  const system = named(SYSTEMS)
  return system === undefined ? browser : `${browser} on ${system}`
}

/** The network that an address belongs to: 203.0.113.0/24, or the first 48 bits of an IPv6 address. */
export function shortAddress(address: string): string {
  const network = networkOf(address)
  if (isIPv4(network)) return `${network.split('.').slice(0, 3).join('.')}.0/24`
  const groups = network.split(':')
  return groups.length === 4 ? `${groups.slice(0, 3).join(':')}::/48` : 'unknown'
}
