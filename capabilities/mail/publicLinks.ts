import type { LinkKind } from '../../platform/secrets/linkTokens.ts'

/** The pages of the console that links in mails lead to. */
const PAGES: Readonly<Record<LinkKind, string>> = {
  invitation: '/console/invitation',
  passwordReset: '/console/reset-password',
}

/**
 * The address of a page with its token. It begins with PUBLIC_URL and never with what a request says about its host. The
 * token stands after the #, so that browsers send it to no server and proxies log none.
 */
export function publicLink(publicUrl: string, kind: LinkKind, token: string): string {
  return `${withoutSlash(publicUrl)}${PAGES[kind]}#token=${token}`
}

export function publicGraphqlUrl(publicUrl: string): string {
  return `${withoutSlash(publicUrl)}/graphql`
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
