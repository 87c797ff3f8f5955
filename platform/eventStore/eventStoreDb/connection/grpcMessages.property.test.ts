import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases/propertyRuns.ts'
import { framed, MessageReader } from './grpcMessages.ts'

const messages = fc.array(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)))

test('messages are read as they were written, however their bytes are cut into chunks', () => {
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 1, max: 30 })), (written, sizes) => {
      const bytes = framed(written)
      const reader = new MessageReader()
      const read: Buffer[] = []
      for (let at = 0, n = 0; at < bytes.length; n++) {
        const end = Math.min(bytes.length, at + (sizes[n] ?? bytes.length))
        read.push(...reader.read(bytes.subarray(at, end)))
        at = end
      }
      expect(read).toEqual(written)
    }),
    { numRuns: propertyRuns({ few: 200, many: 1_000 }) },
  )
})

test.each([
  ['a compressed message', Buffer.from([1, 0, 0, 0, 0]), /compressed/],
  ['a message that is too large', Buffer.from([0, 0xff, 0, 0, 0]), /4278190080 bytes/],
])('%s is refused', (_, bytes, reason) => {
  expect(() => new MessageReader().read(bytes)).toThrow(reason)
})
