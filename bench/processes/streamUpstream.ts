import net from 'node:net'
import { messageReader } from './leanHttp.ts'

/** A chat provider that streams a number of chunks per response, one per turn of its event loop. */
const [port, chunksPerStream] = process.argv.slice(2)

const chunk = (choices: object[], more: object = {}) =>
  framed(
    `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_767_225_600, model: 'bench-model', choices, ...more })}\n\n`,
  )
const framed = (text: string) => Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`)

const HEAD = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n')
const WORD = chunk([{ index: 0, delta: { content: ' a few more words' }, finish_reason: null }])
const END = Buffer.concat([
  chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
  chunk([], { usage: { prompt_tokens: 12, completion_tokens: 100, total_tokens: 112 } }),
  framed('data: [DONE]\n\n'),
  Buffer.from('0\r\n\r\n'),
])

const server = net.createServer({ noDelay: true }, (socket) => {
  const stream = () => {
    let left = Number(chunksPerStream)
    const next = () => {
      if (socket.destroyed) return
      if (left === 0) return void socket.write(END)
      left--
      if (socket.write(WORD)) setImmediate(next)
      else socket.once('drain', next)
    }
    socket.write(HEAD)
    next()
  }
  socket.on('data', messageReader(stream))
  socket.on('error', () => socket.destroy())
})
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
