import { expect, test } from 'vitest'
import { mayManage, rolesToGive } from './roleWords.ts'

test('only an owner appoints, changes or removes owners', () => {
  expect(rolesToGive('OWNER')).toContain('OWNER')
  expect(rolesToGive('ADMIN')).not.toContain('OWNER')
  expect(mayManage('ADMIN', 'OWNER')).toBe(false)
  expect(mayManage('OWNER', 'OWNER')).toBe(true)
})

test('other roles cannot manage anybody', () => {
  expect(rolesToGive('AUDITOR')).toEqual([])
  expect(mayManage('BILLING', 'DEVELOPER')).toBe(false)
})
