import type { OutgoingHttpHeaders } from 'node:http'

type Policy = Readonly<Record<string, string>>

/** The policy of all pages of this server. 'self' covers its WebSockets, too. */
const EVERYWHERE: Policy = {
  'default-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}

const POLICIES = {
  /** Scripts, styles and fonts are files of this server; nothing inline and nothing from elsewhere runs. */
  console: { 'script-src': "'self'", 'style-src': "'self'", 'font-src': "'self'", 'worker-src': "'self'" },
  /** The editor of GraphiQL writes styles into the page, and has its fonts in its style sheet. */
  graphiql: {
    'script-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'font-src': "'self' data:",
    'worker-src': "'self'",
  },
} as const satisfies Readonly<Record<string, Policy>>

export type PageKind = keyof typeof POLICIES

/** The headers of every page that the backend serves to browsers, and of the files that belong to it. */
export function pageHeaders(kind: PageKind): OutgoingHttpHeaders {
  const policy = { ...EVERYWHERE, ...POLICIES[kind] }
  return {
    'content-security-policy': Object.entries(policy)
      .map(([name, sources]) => `${name} ${sources}`)
      .join('; '),
    'x-content-type-options': 'nosniff',
    // Other sites learn nothing of the addresses here, whose paths name companies and calls.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}
