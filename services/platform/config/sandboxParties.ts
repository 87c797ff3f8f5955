const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|::1)$/

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/** The sandbox asks nobody who they are, so it is on loopback wherever the services themselves listen. */
export function sandboxHost({ HOST }: { readonly HOST: string }): string {
  return isLoopback(HOST) ? HOST : '127.0.0.1'
}

/** Of the settings, those that say whom one pays and mails through. */
type Parties = {
  readonly STRIPE_SECRET_KEY?: string | undefined
  readonly STRIPE_API_BASE?: string | undefined
  readonly SMTP_URL?: string | undefined
  readonly MAIL_FROM?: string | undefined
}
type Addresses = { readonly HOST: string; readonly SANDBOX_PORT: number; readonly SANDBOX_SMTP_PORT: number }

/** Whom an installation with a sandbox pays and mails through where nothing is set: the sandbox's own parties. */
export function sandboxParties(settings: Addresses & Parties): Parties {
  const { SANDBOX_PORT, SANDBOX_SMTP_PORT } = settings
  const host = sandboxHost(settings).replace(/^.*:.*$/, '[$&]')
  return {
    // With a key of one's own, the API is the real one, or the one that was set beside it.
    ...(settings.STRIPE_SECRET_KEY === undefined
      ? {
          STRIPE_SECRET_KEY: 'sk_test_sandbox',
          STRIPE_API_BASE: settings.STRIPE_API_BASE ?? `http://${host}:${SANDBOX_PORT}`,
        }
      : {}),
    ...(settings.SMTP_URL === undefined ? { SMTP_URL: `smtp://${host}:${SANDBOX_SMTP_PORT}` } : {}),
    ...(settings.MAIL_FROM === undefined ? { MAIL_FROM: 'Tollgate <tollgate@sandbox.example>' } : {}),
  }
}
