import http from 'node:http'

/** Answers embeddings and judgements at once, at a realistic length, so that only the rest is measured. */
const DIMENSIONS = 1_536
const VECTORS = Array.from({ length: 16 }, (_, n) =>
  JSON.stringify(Array.from({ length: DIMENSIONS }, (__, at) => Number(Math.sin(n + at / 7).toFixed(6)) / 28)),
)
const JUDGEMENT = JSON.stringify({
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: JSON.stringify({ adjustment: 2, reason: 'Carries over well.' }) },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 120, completion_tokens: 12, total_tokens: 132 },
})

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const isEmbedding = request.url?.endsWith('/embeddings') === true
    const body = isEmbedding ? embeddingsOf(Buffer.concat(chunks)) : JUDGEMENT
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'))

function embeddingsOf(body: Buffer): string {
  const { input } = JSON.parse(body.toString()) as { input: string[] }
  const data = input.map((_, n) => `{"object":"embedding","index":${n},"embedding":${VECTORS[n % VECTORS.length]}}`)
  return `{"object":"list","data":[${data.join(',')}],"usage":{"prompt_tokens":9,"total_tokens":9}}`
}
