import { expect, test } from 'vitest'
import { loadInPieces, packagesWithin } from './loadInPieces.ts'

test('the event loop turns between two modules, which are loaded in order', async () => {
  const order: string[] = []
  const piece = (name: string) => async () => {
    order.push(name)
    setImmediate(() => order.push(`a turn after ${name}`))
  }
  await loadInPieces([piece('one'), piece('two')])
  expect(order).toEqual(['one', 'a turn after one', 'two', 'a turn after two'])
})

test('a package that is not found is left to the library that needs it; an error in our own code is thrown', async () => {
  await loadInPieces(packagesWithin(['no-such-package-of-a-library', 'zod']))
  const failing = () => Promise.reject(new Error('broken'))
  await expect(loadInPieces([failing])).rejects.toThrow('broken')
})
