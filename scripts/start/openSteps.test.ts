import { expect, test } from 'vitest'
import { openStepsText } from './openSteps.ts'

test('a start outside the sandbox names the open steps of the set-up, and nothing if there are none', () => {
  const prices = { name: 'prices', done: false, hint: 'Publish a price.' }
  const mail = { name: 'mail', done: true, hint: 'The mail server has taken a mail.' }
  expect(openStepsText([prices, mail])).toBe(
    'Still to set up (the page Set-up of the console has the same list):\n  prices: Publish a price.\n',
  )
  expect(openStepsText([mail])).toBe('')
})
