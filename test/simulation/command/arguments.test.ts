import { expect, test } from 'vitest'
import { wantedOf } from './arguments.ts'

const wanted = (...args: string[]) => wantedOf(args, ['A', 'B'])

test('without arguments all worlds run a hundred seeds from 1', () => {
  expect(wanted()).toEqual({
    worlds: ['A', 'B'],
    from: 1,
    seeds: 100,
    ms: null,
    isTraced: false,
    untilFailure: false,
    kept: false,
    isFull: false,
    replays: 0,
    workers: null,
    isJson: false,
    planted: null,
  })
})

test('worlds are chosen by name, and run in their order', () => {
  expect(wanted('--world', 'B', '--world', 'A').worlds).toEqual(['A', 'B'])
  expect(() => wanted('--world', 'C')).toThrow('there is no world C; the worlds are: A, B')
})

test('a single seed can be traced', () => {
  expect(wanted('--world', 'B', '--seed', '4711', '--trace')).toMatchObject({ from: 4711, seeds: 1, isTraced: true })
  expect(() => wanted('--trace')).toThrow('--trace needs --seed')
})

test('minutes take the place of a number of seeds', () => {
  expect(wanted('--minutes', '0.5', '--from', '9')).toMatchObject({ ms: 30_000, seeds: null, from: 9 })
  expect(() => wanted('--minutes', '1', '--seeds', '3')).toThrow('either --seeds or --minutes')
  expect(() => wanted('--seed', '1', '--minutes', '3')).toThrow('--seed runs one seed')
  expect(() => wanted('--minutes', '0')).toThrow('--minutes takes a number above 0')
})

test('numbers that are none are refused', () => {
  expect(() => wanted('--seeds', 'many')).toThrow('--seeds takes a whole number up to 4294967295, not many')
  expect(() => wanted('--from', '4294967296')).toThrow('--from takes a whole number')
  expect(() => wanted('12')).toThrow('unknown argument 12')
})

test('a full run decides itself which seeds it runs', () => {
  expect(wanted('--full', '--world', 'B', '--replay', '100')).toMatchObject({ isFull: true, replays: 100 })
  expect(() => wanted('--full', '--from', '3')).toThrow('--full decides itself which seeds to run')
  expect(() => wanted('--full', '--kept')).toThrow('--full takes --world')
})

test('planted bugs are named after --planted', () => {
  expect(wanted('--planted')).toMatchObject({ planted: [], seeds: 500 })
  expect(wanted('--planted', 'one', 'two').planted).toEqual(['one', 'two'])
  expect(() => wanted('--planted', '--minutes', '1')).toThrow('--planted takes --seeds')
})
