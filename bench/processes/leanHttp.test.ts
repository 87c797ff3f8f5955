import { expect, test } from 'vitest'
import { type LeanMessage, messageReader } from './leanHttp.ts'

const PLAIN = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'
const STREAM = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n8\r\ndata: 1\n\r\n0\r\n\r\n'
const DONE = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nd\r\ndata: [DONE]\n\r\n0\r\n\r\n'
const EMPTY = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'

/** The messages are the same however the bytes are chunked. */
test.each([1, 2, 7, 40, 1_000])('messages are found in pieces of %i bytes', (size) => {
  const found: LeanMessage[] = []
  const read = messageReader((message) => found.push(message))
  const bytes = Buffer.from(PLAIN + STREAM + EMPTY + DONE + PLAIN)
  for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size))
  expect(found.map(({ isDone }) => isDone)).toEqual([false, false, false, true, false])
})
