import { expect, test } from 'vitest'
import { aloneTimes } from './aloneTimes.ts'

const AT = Date.UTC(2026, 0, 1)

function line(service: string, second: number, msg: string): string {
  return JSON.stringify({ service, level: 40, time: new Date(AT + second * 1_000).toISOString(), msg })
}

test('a gateway is alone from the loss of Redis, or a start without it, until it is available', () => {
  const lines = [
    line('gateway 1', 0, 'Redis is available: the gateways share the limits'),
    line('gateway 2', 1, 'Redis is unavailable: each gateway enforces its share of every limit'),
    line('backend', 1, 'Redis is unavailable: each gateway enforces its share of every limit'),
    line('gateway 2', 2, 'Redis does not answer: each gateway enforces the limits alone until it does'),
    line('gateway 1', 3, 'Redis is unavailable: each gateway enforces its share of every limit'),
    line('gateway 2', 4, 'Redis is available: the gateways share the limits'),
    line('gateway 2', 5, 'another line about Redis '),
    line('gateway 2', 6, 'Redis is unavailable').slice(0, -5),
  ]
  expect(aloneTimes(lines)).toEqual([
    { gateway: 1, from: AT + 1_000, to: AT + 4_000 },
    { gateway: 0, from: AT + 3_000, to: Number.POSITIVE_INFINITY },
  ])
})
