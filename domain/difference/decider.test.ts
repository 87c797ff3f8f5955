import { test } from 'vitest'
import type { DifferenceEvent } from '../../contracts/events/difference.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { second, USER } from '../../test/support/events/billingEvents.ts'
import { type DifferenceCommand, differenceDecider } from './decider.ts'

const given = specificationOf(differenceDecider)
const differenceId = '99999999-9999-4999-8999-999999999999'
const explain = (reason: string): DifferenceCommand => ({
  ...{ type: 'ExplainDifference', differenceId, reason, by: USER, at: second(1) },
})
const explained = (reason: string): DifferenceEvent => ({
  type: 'DifferenceExplained',
  data: { differenceId, reason, explainedBy: USER, explainedAt: second(1) },
})

test('a difference is explained with a reason, which a later explanation replaces', () => {
  given().when(explain(' paid in cash ')).then(explained('paid in cash'))
  given(explained('paid in cash')).when(explain('paid in cash')).thenNothing()
  given(explained('paid in cash')).when(explain('paid by bank')).then(explained('paid by bank'))
})

test.each(['', ' ', 'x'.repeat(501)])('an explanation without a proper reason is refused', (reason) => {
  given()
    .when(explain(reason))
    .thenThrows('INVALID', /reason/)
})
