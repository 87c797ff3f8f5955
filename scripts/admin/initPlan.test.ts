import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { WrongUsage } from '../cli/command.ts'
import { initPlan, isOnlyPrices, namedPrices } from './initPlan.ts'
import { questionsTo } from './questions.ts'

/** A person at a terminal who answers each question with one of these, and the questions. */
function answering(...answers: string[]) {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => keyboard })
  const prompts: string[] = []
  const print = (text: string) => {
    prompts.push(text)
    const answer = answers.shift()
    if (answer !== undefined) setImmediate(() => keyboard.write(`${answer}\n`))
  }
  return { questions: questionsTo(keyboard, print), prompts }
}

const nobody = questionsTo(Readable.from([]), () => {})
const people = { email: 'Root@example.com', company: ' Acme ', user: 'admin@acme.example' }
const price = (input: string, output: string) => ({ rates: { input, output } })

describe('the plan of init', () => {
  test('is read from options alone, with defaults for credits and the name of the key', async () => {
    expect(await initPlan({ ...people, price: ['*=1,2', 'a=3,4'] }, ['a', 'b'], nobody)).toEqual({
      ...{ superAdmin: 'root@example.com', company: 'Acme', user: 'admin@acme.example', keyName: 'first key' },
      creditsMicros: 100_000_000n,
      prices: { a: price('3000000', '4000000'), b: price('1000000', '2000000') },
    })
  })

  test('asks a person for what is missing, and only for prices of aliases that have none', async () => {
    const { questions, prompts } = answering('root@example.com', 'Acme', 'admin@acme.example', '7,8', '', 'ci')
    const plan = await initPlan({}, ['acme/fast'], questions)
    expect(plan).toMatchObject({ superAdmin: 'root@example.com', creditsMicros: 100_000_000n, keyName: 'ci' })
    expect(plan.prices).toEqual({ 'acme/fast': price('7000000', '8000000') })
    expect(prompts).toEqual([
      'Mail address of the super admin: ',
      'Name of the first company: ',
      "Mail address of the company's admin: ",
      'Price of acme/fast in credits for a million tokens: input,output [500,1500]: ',
      'Credits for the company [100]: ',
      'Name of its first key [first key]: ',
    ])
  })

  test.each([
    ['--email is missing', {}],
    ['--user must be another address', { ...people, user: 'root@example.com' }],
    ['--price is missing for a, b', people],
    ['a price is input,output', { ...people, price: ['*=1'] }],
    ['a price is input,output', { ...people, price: ['*=1,2,3,4,5,6'] }],
    ['input of a must be', { ...people, price: ['*=-1,2'] }],
    ['more than zero', { ...people, price: ['*=1,2'], credits: '-1' }],
  ])('is refused without a terminal: %s', async (message, options) => {
    const refused = initPlan(options, ['a', 'b'], nobody)
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toThrow(WrongUsage)
  })
})

test('prices alone change nothing else, and need not be complete', () => {
  expect(isOnlyPrices({ price: ['a=1,2'] })).toBe(true)
  expect(isOnlyPrices({ ...people, price: ['a=1,2'] })).toBe(false)
  expect(isOnlyPrices({})).toBe(false)
  expect(namedPrices({ price: ['a=1,2'] }, ['a', 'b'])).toEqual({ a: price('1000000', '2000000') })
  const both = { a: price('1000000', '2000000'), b: price('3000000', '4000000') }
  expect(namedPrices({ price: ['a=1,2', '*=3,4'] }, ['a', 'b'])).toEqual(both)
  expect(() => namedPrices({ price: ['a=1'] }, [])).toThrow(WrongUsage)
})

test('a price may name cached input, cache writes and the fee of a call after input and output', () => {
  expect(namedPrices({ price: ['a=1,2,0.5,1.25,0.01', 'b=1,2,0'] }, [])).toEqual({
    a: {
      rates: { input: '1000000', cachedInput: '500000', cacheWrite: '1250000', output: '2000000' },
      callMicros: '10000',
    },
    b: { rates: { input: '1000000', cachedInput: '0', output: '2000000' } },
  })
})

test('passwords without a terminal are the lines of standard input, one for each new user', async () => {
  const questions = questionsTo(Readable.from(['first password\r\nsecond ', 'password\n']), () => {})
  expect(await questions.password('a@example.com')).toBe('first password')
  expect(await questions.password('b@example.com')).toBe('second password')
  await expect(questions.password('c@example.com')).rejects.toThrow('no password for c@example.com')
  await expect(questionsTo(Readable.from(['short\n']), () => {}).password('a')).rejects.toThrow(/10 to 256/)
})
