import net from 'node:net'
import { type LeanMessage, messageReader } from './leanHttp.ts'

/** A provider of chat, Responses and Messages that answers at once or after a fixed delay, to measure only the rest. */
const [port, delayMs = '0'] = process.argv.slice(2)
const TEXT = 'x'.repeat(400)
const CHAT = whole({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_767_225_600,
  model: 'bench-model',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 100, total_tokens: 112 },
})
const RESPONSES = whole({
  id: 'resp_bench',
  object: 'response',
  created_at: 1_767_225_600,
  status: 'completed',
  model: 'bench-model',
  output: [{ id: 'msg_bench', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: TEXT }] }],
  usage: { input_tokens: 12, output_tokens: 100, total_tokens: 112 },
})
const MESSAGES = whole({
  id: 'msg_bench',
  type: 'message',
  role: 'assistant',
  model: 'bench-model',
  content: [{ type: 'text', text: TEXT }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 12, output_tokens: 100 },
})

const server = net.createServer({ noDelay: true }, (socket) => {
  const answer = ({ head }: LeanMessage) => void socket.write(answerTo(head))
  const answerLater = (message: LeanMessage) => void setTimeout(answer, Number(delayMs), message)
  socket.on('data', messageReader(Number(delayMs) === 0 ? answer : answerLater))
  socket.on('error', () => socket.destroy())
})
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'))

function whole(answer: object): Buffer {
  const body = JSON.stringify(answer)
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}

function answerTo(head: string): Buffer {
  if (head.startsWith('POST /v1/responses ')) return RESPONSES
  return head.startsWith('POST /v1/messages ') ? MESSAGES : CHAT
}
