import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readPrices } from './readPrices.ts'

describe('the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-prices-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'prices')
  const table = 'alias,input,output\nacme/large,1,2\n'

  test('that is not there is refused', async () => {
    await expect(readPrices(join(folder, 'other'), {})).rejects.toThrow('cannot be read')
  })

  test('is read exactly, as no double could hold its numbers', async () => {
    const entry = '{"mode": "chat", "input_cost_per_token": 0.123456789012345678, "output_cost_per_token": 1.5e-07}'
    writeFileSync(file, `{"large-1": ${entry}}`)
    const { prices } = await readPrices(file, { times: '1000000', entry: ['acme/large=large-1'] })
    expect(prices.get('acme/large')?.price.rates).toEqual({ input: '123456789012345678', output: '150000000000' })
  })

  test.each([
    ['{"a":', {}, 'is not JSON'],
    [table, { times: '0' }, '--times must be more than zero'],
    [table, { times: 'a fifth' }, '--times'],
    [table, { entry: ['a=b'] }, '--entry is for a list'],
    ['{}', { entry: ['a'] }, '--entry a: it takes'],
  ])('%j with %j is refused', async (text, options, message) => {
    writeFileSync(file, text)
    await expect(readPrices(file, options)).rejects.toThrow(message)
  })
})
