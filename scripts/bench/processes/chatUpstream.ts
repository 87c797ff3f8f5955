import net from 'node:net'
import { messageReader } from './leanHttp.ts'

/** A chat provider that answers at once or after a fixed delay, so that everything else is measured. */
const [port, delayMs = '0'] = process.argv.slice(2)
const BODY = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_767_225_600,
  model: 'bench-model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'x'.repeat(400) }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 100, total_tokens: 112 },
})
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
)

const server = net.createServer({ noDelay: true }, (socket) => {
  const answer = () => void socket.write(ANSWER)
  const answerLater = () => void setTimeout(answer, Number(delayMs))
  socket.on('data', messageReader(Number(delayMs) === 0 ? answer : answerLater))
  socket.on('error', () => socket.destroy())
})
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
