import { expect, test } from 'vitest'
import { joined } from './execute.ts'

test('an operation in progress is not started again, and both callers get its result', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  let begun = 0
  const work = () => {
    begun++
    return promise
  }
  const both = [joined('mint', work), joined('mint', work)]
  resolve('key')
  expect(await Promise.all(both)).toEqual(['key', 'key'])
  expect(begun).toBe(1)
})

test('other operations run at the same time, and the same one runs again after it succeeded or failed', async () => {
  const failing = () => Promise.reject(new Error('refused'))
  await expect(joined('mint', failing)).rejects.toThrow('refused')
  const other = Promise.withResolvers<string>()
  const waiting = joined('revoke', () => other.promise)
  expect(await joined('mint', async () => 'key')).toBe('key')
  other.resolve('revoked')
  expect(await waiting).toBe('revoked')
})
