import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** One call as the provider saw it. */
export type ReceivedCall = {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
  /** Bytes of answers that were handed to the operating system or wait in this process. */
  bytesWritten: number
  /** The provider sent everything that its script holds. */
  completed: boolean
  /** The gateway closed the connection, or the answer came to its end. */
  closed: boolean
}

/** How the provider answers one call. A script that returns has sent everything. */
export type Script = (response: http.ServerResponse, call: ReceivedCall) => void | Promise<void>

export type ScriptedProvider = {
  readonly baseUrl: string
  /** In the order of their arrival. */
  readonly calls: ReceivedCall[]
  /** The scripts of the next calls, one each; later calls follow `always`. */
  next(...scripts: Script[]): void
  always(script: Script): void
  lastCall(): ReceivedCall
  callOf(callId: string): ReceivedCall
  close(): Promise<void>
}

export const PROVIDER_MODEL = 'vendor-model-7b-2026'
export const PROVIDER_KEY = 'vendor-secret-key'

/** A scripted model provider on loopback, called over HTTP like a real one. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const calls: ReceivedCall[] = []
  const scripts: Script[] = []
  let otherwise: Script = whole(completion())

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const { url = '', headers } = request
    const body = Buffer.concat(chunks)
    const call: ReceivedCall = { path: url, headers, body, bytesWritten: 0, completed: false, closed: false }
    calls.push(call)
    response.once('close', () => {
      call.closed = true
    })
    const script = scripts.shift() ?? otherwise
    await script(response, call)
    call.completed = !response.destroyed || response.writableFinished
  })
  // No server timeout may cut a stream that a test holds open.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const found = (call: ReceivedCall | undefined): ReceivedCall => {
    if (!call) throw new Error('the provider has not received that call')
    return call
  }
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    next: (...more) => void scripts.push(...more),
    always: (script) => {
      otherwise = script
    },
    lastCall: () => found(calls.at(-1)),
    callOf: (callId) => found(calls.find(({ headers }) => headers['x-request-id'] === callId)),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** An answer in one piece. */
export function whole(body: object | string | Buffer, { status = 200, headers = {} } = {}): Script {
  return (response) => {
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytes)
  }
}

/** Events one by one; a promise among them is a pause. */
export function streamed(...steps: (string | Buffer | Promise<unknown>)[]): Script {
  return async (response, call) => {
    await writeSteps(response, call, steps)
    response.end()
  }
}

/** Like `streamed`, but the connection breaks instead of ending. */
export function streamedThenCut(...steps: (string | Buffer | Promise<unknown>)[]): Script {
  return async (response, call) => {
    await writeSteps(response, call, steps)
    response.destroy()
  }
}

/** Accepts the call and never answers. */
export function stalled(): Script {
  return () => {}
}

async function writeSteps(
  response: http.ServerResponse,
  call: ReceivedCall,
  steps: readonly (string | Buffer | Promise<unknown>)[],
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  for (const step of steps) {
    if (step instanceof Promise) {
      await step
      continue
    }
    call.bytesWritten += step.length
    // Awaited, so that a cut after the last step loses none of the steps before it.
    await new Promise<void>((resolve) => response.write(step, () => resolve()))
  }
}

export const USAGE = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 }

export function completion(changes: object = {}): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_767_225_600,
    model: PROVIDER_MODEL,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
    usage: USAGE,
    ...changes,
  }
}

/** An event with these fields beside those that every chunk has. */
export function chunk(fields: object): string {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_767_225_600, model: PROVIDER_MODEL }
  return `data: ${JSON.stringify({ ...head, ...fields })}\n\n`
}

export function says(content: string, index = 0): string {
  return chunk({ choices: [{ index, delta: { content }, finish_reason: null }] })
}

export function finishes(index = 0): string {
  return chunk({ choices: [{ index, delta: {}, finish_reason: 'stop' }] })
}

export function usageBlock(usage: object = USAGE): string {
  return chunk({ choices: [], usage })
}

export const DONE = 'data: [DONE]\n\n'
