import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { Pool } from 'undici'
import { listen } from '../../../platform/http/httpServer.ts'
import { MemorySocket, type Wire } from '../network/memorySocket.ts'
import { enterRun } from '../scheduler/currentRun.ts'
import { Scheduler } from '../scheduler/scheduler.ts'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'

// undici keeps its coarse clock and its timers in a module, so they would outlive a run.
const undiciTimers = createRequire(import.meta.url)('undici/lib/util/timers.js') as { reset(): void }

/** Prints what happens in each of these seeds. */
export async function run(seeds: readonly string[]): Promise<void> {
  for (const seed of seeds) {
    undiciTimers.reset()
    const { hash, seen } = await exchange(Number(seed))
    process.stdout.write(`${seed} ${hash}\n${seen.join('\n')}\n`)
  }
}

/** The product's HTTP server and undici over connections in memory: streams, callers that leave, kills and drains. */
async function exchange(seed: number): Promise<{ readonly hash: string; readonly seen: readonly string[] }> {
  const scheduler = new Scheduler(seed, Date.UTC(2026, 2, 1))
  enterRun(scheduler)
  const network = scheduler.random.fork()
  const wire: Wire = {
    scheduler,
    delayMs: () => network.fraction() * 3,
    pieceBytes: (bytes) => (network.chance(0.3) ? 1 + network.below(bytes) : bytes),
    breaks: () => false,
    open: new Set(),
  }
  const seen: string[] = []
  const gateway = new SimulatedProcess('gateway')
  const callers = new SimulatedProcess('callers')
  let connections = 0
  let accepting: Server | null = null
  const connect = (_options: unknown, callback: (...values: [Error | null, unknown]) => void) => {
    connections += 1
    const { client, server } = MemorySocket.pair(wire, [callers, gateway], `connection ${connections}`)
    const accept = () => {
      if (accepting === null || gateway.isDead)
        return callback(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), null)
      scheduler.processes.run(gateway, () => void accepting?.emit('connection', server))
      callback(null, client)
    }
    scheduler.schedule({ owner: callers, label: `connection ${connections} connects`, delayMs: 1 }, accept)
  }
  const started = scheduler.processes.run(gateway, () =>
    listen({
      handler: async (request, response) => {
        response.on('close', () => seen.push(`${request.url} closed, ${response.writableFinished ? 'whole' : 'cut'}`))
        if (request.url === '/whole') return void response.end('answer')
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (let n = 0; n < 20 && !response.destroyed; n += 1) {
          response.write(`data: ${n}\n\n`)
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
        response.end()
      },
      host: '127.0.0.1',
      port: 4000,
      portSetting: 'GATEWAY_PORT',
      bind: async (server, { port }) => {
        accepting = server
        return port
      },
    }),
  )
  let isOver = false
  const work = async () => {
    const { url, drain } = await started
    const pool = new Pool(url, { connect: connect as never, connections: 4 })
    const whole = await pool.request({ path: '/whole', method: 'GET' })
    seen.push(`whole: ${whole.statusCode} ${await whole.body.text()}`)
    const stream = await pool.request({ path: '/stream', method: 'GET' })
    seen.push(
      `stream: ${(await stream.body.text()).split('\n\n').length - 1} events at ${Math.round(scheduler.elapsedMs / 100)}`,
    )
    const left = await pool.request({ path: '/left', method: 'POST', body: 'x'.repeat(1_000) })
    let events = 0
    for await (const _chunk of left.body) {
      events += 1
      if (events === 5) break
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
    const parallel = await Promise.all([1, 2, 3, 4, 5, 6].map(() => pool.request({ path: '/whole', method: 'GET' })))
    seen.push(`parallel: ${(await Promise.all(parallel.map(({ body }) => body.text()))).join()}`)
    const cut = pool.request({ path: '/killed', method: 'GET' }).then(({ body }) => body.text())
    setTimeout(() => gateway.kill(), 1_000)
    seen.push(`killed: ${await cut.catch((error: Error) => error.message)}`)
    void drain
    isOver = true
  }
  scheduler.processes.run(callers, () => {
    work().catch((error: unknown) => {
      seen.push(String((error as Error).stack))
      isOver = true
    })
  })
  await scheduler.runUntil(() => isOver || scheduler.elapsedMs > 60_000)
  return { hash: scheduler.digest(), seen }
}
