const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|::1)$/

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/** The sandbox has no authentication, so it listens on loopback, whatever HOST is. */
export function sandboxHost({ HOST }: { readonly HOST: string }): string {
  return isLoopback(HOST) ? HOST : '127.0.0.1'
}

/** The settings of the payment provider and of mails. */
type Parties = {
  readonly STRIPE_SECRET_KEY?: string | undefined
  readonly STRIPE_API_BASE?: string | undefined
  readonly SMTP_URL?: string | undefined
  readonly MAIL_FROM?: string | undefined
  readonly PUBLIC_URL?: string | undefined
}
type Addresses = {
  readonly HOST: string
  readonly BACKEND_PORT: number
  readonly SANDBOX_PORT: number
  readonly SANDBOX_SMTP_PORT: number
}

/**
 * The payment provider and mail server of a sandbox installation: those of the sandbox, unless they are set. Links in mails
 * lead to the backend on this machine.
 */
export function sandboxParties(settings: Addresses & Parties): Parties {
  const { BACKEND_PORT, SANDBOX_PORT, SANDBOX_SMTP_PORT } = settings
  const host = sandboxHost(settings).replace(/^.*:.*$/, '[$&]')
  return {
    // With a custom key the API is the real one, or the one in STRIPE_API_BASE.
    ...(settings.STRIPE_SECRET_KEY === undefined
      ? {
          STRIPE_SECRET_KEY: 'sk_test_sandbox',
          STRIPE_API_BASE: settings.STRIPE_API_BASE ?? `http://${host}:${SANDBOX_PORT}`,
        }
      : {}),
    ...(settings.SMTP_URL === undefined ? { SMTP_URL: `smtp://${host}:${SANDBOX_SMTP_PORT}` } : {}),
    ...(settings.MAIL_FROM === undefined ? { MAIL_FROM: 'Tollgate <tollgate@sandbox.example>' } : {}),
    ...(settings.PUBLIC_URL === undefined ? { PUBLIC_URL: `http://${host}:${BACKEND_PORT}` } : {}),
  }
}
