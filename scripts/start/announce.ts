import { ACCESS_TOKEN_SECONDS, signAccessToken } from '../../platform/secrets/accessTokens.ts'
import type { Secrets } from '../../platform/secrets/generatedSecrets.ts'
import { writeDemoFile } from './demoFile.ts'
import type { DemoUsers } from './demoUsers.ts'

/** The addresses of the services of an installation. */
export type Addresses = {
  readonly gateways: readonly [string, ...string[]]
  readonly backend: string
  readonly ai: string
  readonly sandbox: string | null
}

/** The token comes after the #, so that no log contains it and no link preview uses it up. */
function signInUrlOf({ backend }: Addresses, { signInToken }: Pick<DemoUsers, 'signInToken'>): string | null {
  return signInToken === null ? null : `${backend}/session/link#token=${signInToken}`
}

/** Writes demo.json, with access tokens signed at this start. */
export async function writeDemo(
  { dataDir, secrets, nowMs, logVkey }: { dataDir: string; secrets: Secrets; nowMs: number; logVkey: string },
  { tokenVersions, signInToken, ...demo }: DemoUsers,
  addresses: Addresses,
  logFile: string,
): Promise<void> {
  const token = (userId: string, email: string) =>
    signAccessToken(
      secrets.jwtSecret,
      { userId, email, version: tokenVersions.get(userId) ?? 0 },
      nowMs,
      ACCESS_TOKEN_SECONDS,
    )
  await writeDemoFile(dataDir, {
    gatewayUrl: `${addresses.gateways[0]}/llm/v1`,
    backendUrl: addresses.backend,
    consoleUrl: `${addresses.backend}/`,
    signInUrl: signInUrlOf(addresses, { signInToken }) ?? '',
    aiUrl: addresses.ai,
    sandboxUrl: addresses.sandbox ?? '',
    mailboxUrl: `${addresses.sandbox}/mailbox`,
    ...demo,
    adminToken: await token(demo.adminId, demo.adminEmail),
    superAdminToken: await token(demo.superAdminId, demo.superAdminEmail),
    internalToken: secrets.internalToken,
    webhookSecret: secrets.webhookSecret,
    logVkey,
    logFile,
  })
}

/** At most ten lines, for any number of gateways. */
export function bannerOf(headline: string, addresses: Addresses, demo: DemoUsers | null, logFile: string): string {
  const [gateway, ...more] = addresses.gateways
  const ports = more.map((url) => new URL(url).port)
  const lines = [
    headline,
    `  gateway ${gateway}/llm/v1   backend ${addresses.backend}   ai ${addresses.ai}`,
    ...(ports.length > 0 ? [`  more gateways on ports ${ports.join(', ')}`] : []),
    ...(addresses.sandbox
      ? [`  sandbox ${addresses.sandbox} (in place of real models, payments and mail: see /payments and /mailbox)`]
      : []),
    `  log     ${logFile}`,
  ]
  const signInUrl = demo && signInUrlOf(addresses, demo)
  lines.push(signInUrl ? `Console, signed in once by this link: ${signInUrl}` : `Console ${addresses.backend}/`)
  if (demo) {
    const body = '{"model":"svc/chat-default","messages":[{"role":"user","content":"Hello"}]}'
    lines.push(
      'Try it:',
      `  curl -s ${gateway}/llm/v1/chat/completions -H 'Authorization: Bearer ${demo.apiKey}' -H 'Content-Type: application/json' -d '${body}'`,
      `See the charge: npm run audit -- ${demo.companyId}`,
    )
  }
  return `${lines.join('\n')}\n`
}
