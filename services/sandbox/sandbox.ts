import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Runtime } from '../../capabilities/installation.ts'
import { sandboxHost } from '../../platform/config/sandboxParties.ts'
import { liveRoute } from '../../platform/http/commonRoutes/liveRoute.ts'
import { metricsRoute } from '../../platform/http/commonRoutes/metricsRoute.ts'
import { type App, createApp, errorEnvelope } from '../../platform/http/createApp.ts'
import { type Guard, type Guards, serviceGuards } from '../../platform/http/guards.ts'
import { listen, serviceUrl } from '../../platform/http/httpServer.ts'
import { anyQuery, type Route, route } from '../../platform/http/route.ts'
import type { RunningService } from '../../platform/service.ts'
import { Mailbox } from './mailbox/mailbox.ts'
import { mailboxRoute } from './mailbox/mailboxRoute.ts'
import { startMailServer } from './mailbox/mailServer.ts'
import { type ModelThreads, modelRoute } from './modelProvider/modelRoute.ts'
import { unknownModelUrls } from './modelProvider/unknownModelUrls.ts'
import { prefersHtml, requireOwnPage } from './pages/ownPage.ts'
import { redirect } from './pages/page.ts'
import { createPaymentProvider, type PaymentProvider } from './paymentProvider/createPaymentProvider.ts'
import { pageEnvelope } from './paymentProvider/pages/pageEnvelope.ts'
import { requirePaymentKey } from './paymentProvider/wire/paymentApi.ts'
import { SandboxThreads } from './threads/sandboxThreads.ts'

const homeRoute = route({
  method: 'GET',
  path: '/',
  access: 'public',
  summary: 'Leads to the dashboard of the payment provider',
  query: anyQuery,
  handle: ({ response }) => redirect(response, '/payments'),
})

/** Every route is for the sandbox's own pages and for programs only: its API as much as its pages. */
function sandboxGuards(internalToken: string): Guards<null> {
  const { internal } = serviceGuards(internalToken)
  return { public: onOwnPage(() => {}), internal, key: onOwnPage(requirePaymentKey) }
}

/** Programs on this machine are trusted, so all of them are one holder. */
const LOCAL = { caller: null, holder: 'local' } as const

function onOwnPage(check: (request: IncomingMessage) => void): Guard<null> {
  return (request) => {
    requireOwnPage(request)
    check(request)
    return LOCAL
  }
}

export type RunningSandbox = RunningService & {
  readonly url: string
  /** The URL of the SMTP server. */
  readonly smtpUrl: string
}

type SandboxRuntime = Omit<Runtime, 'engines'>

/** The HTTP of all outside parties that the sandbox stands in for. */
export function createSandbox(
  runtime: SandboxRuntime,
  mailbox: Mailbox,
  payments: PaymentProvider,
  threads: ModelThreads,
): App {
  const { secrets, clock, ids, log } = runtime
  return createApp({
    routes: sandboxRoutes(runtime, mailbox, payments, threads),
    envelope: (error, requestId, request) =>
      (prefersHtml(request) ? pageEnvelope : errorEnvelope)(error, requestId, request),
    guards: sandboxGuards(secrets.internalToken),
    clock,
    ids,
    log,
  })
}

export function sandboxRoutes(
  runtime: SandboxRuntime,
  mailbox: Mailbox,
  payments: Pick<PaymentProvider, 'routes'>,
  threads: ModelThreads,
): readonly Route<null>[] {
  return [
    homeRoute,
    liveRoute,
    modelRoute('chatCompletions', runtime, threads),
    modelRoute('completions', runtime, threads),
    modelRoute('embeddings', runtime, threads),
    modelRoute('responses', runtime, threads),
    modelRoute('messages', runtime, threads),
    modelRoute('countTokens', runtime, threads),
    ...unknownModelUrls,
    mailboxRoute(mailbox),
    ...payments.routes,
    metricsRoute(runtime.metrics),
  ]
}

/**
 * Starts the stand-ins for a model provider, a payment provider and a mail server. Tollgate reaches them as it would
 * reach the real ones. They listen on loopback only, wherever the services themselves listen.
 */
export async function startSandbox(runtime: SandboxRuntime): Promise<RunningSandbox> {
  const { config, secrets, clock, ids, log } = runtime
  const host = sandboxHost(config)
  let url = ''
  const payments = createPaymentProvider({
    journalFile: join(config.DATA_DIR, 'sandbox-payments.jsonl'),
    paymentEventsUrl: `${serviceUrl(config.HOST, config.BACKEND_PORT)}/payments/webhook`,
    webhookSecret: secrets.webhookSecret,
    url: () => url,
    clock,
    ids,
    log,
  })
  const threads = new SandboxThreads(clock)
  const mailbox = new Mailbox(clock, ids, threads)
  const server = await listen({
    handler: createSandbox(runtime, mailbox, payments, threads),
    host,
    port: config.SANDBOX_PORT,
    portSetting: 'SANDBOX_PORT',
    clock,
  })
  url = server.url
  const mailServer = await startMailServer(mailbox, { host, port: config.SANDBOX_SMTP_PORT, log }).catch(
    async (error: unknown) => {
      await server.drain(0)
      throw error
    },
  )
  payments.start()
  return {
    name: 'sandbox',
    url,
    smtpUrl: mailServer.url,
    drain: async (timeoutMs) => {
      await Promise.all([server.drain(timeoutMs), mailServer.close()])
      await payments.stop()
      await threads.close()
    },
  }
}
