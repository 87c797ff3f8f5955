import http from 'node:http'
import { Pool } from 'undici'

/** The reference: a proxy that only forwards the request body and the response. */
const [port, upstream] = process.argv.slice(2)
const pool = new Pool(`http://127.0.0.1:${upstream}`, { connections: 256 })

const server = http.createServer((request, response) => {
  if (request.url === '/cpu') return void response.end(JSON.stringify(process.cpuUsage()))
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    const answer = await pool.request({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat(chunks),
    })
    response.writeHead(answer.statusCode, answer.headers as http.OutgoingHttpHeaders)
    answer.body.pipe(response)
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
