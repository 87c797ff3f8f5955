import { expect, test } from 'vitest'
import { mintRawKey } from '../../platform/secrets/rawKeys.ts'
import { Vault } from './vault.ts'

const { raw } = mintRawKey()
const vault = new Vault(raw)
const plain = Buffer.from('The answer.')

test('sealed bytes open only with the same raw key and context', () => {
  const sealed = vault.seal(plain, 'call 1')
  expect(new Vault(raw).open(sealed, 'call 1')).toEqual(plain)
  expect(() => vault.open(sealed, 'call 2')).toThrow()
  expect(() => new Vault(mintRawKey().raw).open(sealed, 'call 1')).toThrow()
})

test('a changed bit anywhere is detected', () => {
  const sealed = vault.seal(plain, 'call 1')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => vault.open(changed, 'call 1')).toThrow()
  }
})

test('sealing the same content twice gives different bytes, which do not contain it', () => {
  const [one, two] = [vault.seal(plain, 'call 1'), vault.seal(plain, 'call 1')]
  expect(one.equals(two)).toBe(false)
  expect(one.includes(plain)).toBe(false)
})

test('empty content can be sealed', () => {
  expect(vault.open(vault.seal(Buffer.alloc(0), 'c'), 'c')).toHaveLength(0)
})

test('marks are equal for the same content and raw key only', () => {
  expect(vault.mark('a body')).toBe(new Vault(raw).mark(Buffer.from('a body')))
  expect(vault.mark('a body')).not.toBe(vault.mark('another body'))
  expect(vault.mark('a body')).not.toBe(new Vault(mintRawKey().raw).mark('a body'))
})
