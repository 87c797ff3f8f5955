import { join } from 'node:path'
import { sandboxHost } from '../platform/config/sandboxParties.ts'
import { sendJson } from '../platform/http/answers.ts'
import { listen, serviceUrl } from '../platform/http/httpServer.ts'
import { metricsRoute, serviceHandler } from '../platform/http/serviceRoutes.ts'
import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import { Mailbox } from './mailbox/mailbox.ts'
import { mailboxRoute } from './mailbox/mailboxRoute.ts'
import { startMailServer } from './mailbox/mailServer.ts'
import { chatCompletions } from './modelProvider/chatCompletions.ts'
import { completions } from './modelProvider/completions.ts'
import { embeddings } from './modelProvider/embeddings.ts'
import { redirect } from './pages/page.ts'
import { createPaymentProvider } from './paymentProvider/createPaymentProvider.ts'

export type RunningSandbox = RunningService & {
  readonly url: string
  /** Where mails are taken. */
  readonly smtpUrl: string
}

/**
 * Stands in for outside parties at the wire: Tollgate reaches it as it would reach a real model or payment provider, or
 * a mail server. On loopback only, wherever the services themselves listen.
 */
export async function startSandbox({
  config,
  secrets,
  clock,
  ids,
  log,
  metrics,
}: Omit<Runtime, 'engines'>): Promise<RunningSandbox> {
  const host = sandboxHost(config)
  let url = ''
  const payments = createPaymentProvider({
    journalFile: join(config.DATA_DIR, 'sandbox-payments.jsonl'),
    webhookUrl: `${serviceUrl(config.HOST, config.BACKEND_PORT)}/payments/webhook`,
    webhookSecret: secrets.webhookSecret,
    url: () => url,
    clock,
    ids,
    log,
  })
  const mailbox = new Mailbox(clock, ids)
  const handler = serviceHandler(
    {
      'GET /': { access: 'public', handle: (_request, response) => redirect(response, '/payments') },
      'GET /health': {
        access: 'public',
        handle: (_request, response) => sendJson(response, 200, { status: 'healthy' }),
      },
      'POST /v1/chat/completions': {
        access: 'public',
        handle: (request, response) => chatCompletions(request, response, { clock, ids }),
      },
      'POST /v1/completions': {
        access: 'public',
        handle: (request, response) => completions(request, response, { clock, ids }),
      },
      'POST /v1/embeddings': { access: 'public', handle: embeddings },
      'GET /mailbox': mailboxRoute(mailbox),
      'GET /metrics': metricsRoute(metrics),
    },
    secrets.internalToken,
    log,
    (request) => payments.handlerOf(request),
  )
  const server = await listen({ handler, host, port: config.SANDBOX_PORT, portSetting: 'SANDBOX_PORT' })
  url = server.url
  const mails = await startMailServer(mailbox, { host, port: config.SANDBOX_SMTP_PORT, log }).catch(
    async (error: unknown) => {
      await server.drain(0)
      throw error
    },
  )
  payments.start()
  return {
    name: 'sandbox',
    url,
    smtpUrl: mails.url,
    drain: async (timeoutMs) => {
      await Promise.all([server.drain(timeoutMs), mails.close()])
      await payments.stop()
    },
  }
}
