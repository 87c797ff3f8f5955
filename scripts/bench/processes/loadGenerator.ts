import { Pool } from 'undici'

/** Calls as fast as the connections allow, in a process of its own; reports how many answers came whole. */
export type Load = {
  readonly url: string
  readonly apiKey: string
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
}
export type LoadResult = {
  readonly calls: number
  readonly failures: number
  readonly seconds: number
  /** With those of the warm-up and the end. */
  readonly callsInAll: number
}

process.on('message', async (load: Load) => {
  const { origin, pathname } = new URL(load.url)
  const pool = new Pool(origin, { connections: load.connections })
  const body = JSON.stringify({
    model: 'svc/chat-default',
    messages: [
      { role: 'system', content: 'You are a helpful assistant for recruiters.' },
      { role: 'user', content: 'Summarise this profile in two sentences. '.repeat(12) },
    ],
  })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${load.apiKey}` }
  let calls = 0
  let failures = 0
  let over = false
  const caller = async () => {
    while (!over) {
      const response = await pool.request({ method: 'POST', path: pathname, headers, body })
      await response.body.arrayBuffer()
      if (response.statusCode === 200) calls++
      else failures++
    }
  }
  const callers = Array.from({ length: load.connections }, caller)
  await new Promise((resolve) => setTimeout(resolve, load.warmUpMs))
  const callsBefore = calls
  const failuresBefore = failures
  const began = performance.now()
  await new Promise((resolve) => setTimeout(resolve, load.measureMs))
  const measured = { calls: calls - callsBefore, seconds: (performance.now() - began) / 1000 }
  over = true
  await Promise.all(callers)
  await pool.close()
  process.send?.({ ...measured, failures: failures - failuresBefore, callsInAll: calls } satisfies LoadResult)
})
process.send?.('ready')
