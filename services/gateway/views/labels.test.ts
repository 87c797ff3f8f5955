import { expect, test } from 'vitest'
import { OTHER_LABEL } from '../../../contracts/usageLabel.ts'
import { charged, failed } from '../../../test/support/events/ledgerEvents.ts'
import { LABELS_PER_DAY_MAX, LabelView } from './labels.ts'

const AT = '2026-03-01T10:00:00.000Z'
const TOMORROW = '2026-03-02T00:00:00.000Z'

function full(): LabelView {
  const view = new LabelView()
  for (let n = 0; n < LABELS_PER_DAY_MAX; n++) expect(view.admit('c', `label-${n}`, AT)).toBe(`label-${n}`)
  return view
}

test('more labels than the limit count as (other), for that company on that day', () => {
  const view = full()
  expect(view.admit('c', 'one-more', AT)).toBe(OTHER_LABEL)
  expect(view.admit('c', 'label-7', AT)).toBe('label-7')
  expect(view.admit('c', null, AT)).toBeNull()
  expect(view.admit('d', 'one-more', AT)).toBe('one-more')
  expect(view.admit('c', 'one-more', TOMORROW)).toBe('one-more')
})

test('labels of other gateways count, of charged calls and of failed ones', () => {
  const view = new LabelView()
  for (let n = 0; n < LABELS_PER_DAY_MAX; n++) {
    const label = `label-${n}`
    view.apply(n % 2 ? charged('c', { label, admittedAt: AT }) : failed('c', { label, admittedAt: AT }))
  }
  view.apply(charged('c', { label: OTHER_LABEL, admittedAt: AT }))
  view.apply(charged('c', { label: null, admittedAt: AT }))
  expect(view.admit('c', 'label-8', AT)).toBe('label-8')
  expect(view.admit('c', 'one-more', AT)).toBe(OTHER_LABEL)
})

test('an event of the day before changes nothing', () => {
  const view = new LabelView()
  view.admit('c', 'today', TOMORROW)
  view.apply(charged('c', { label: 'yesterday', admittedAt: AT }))
  expect(view.admit('c', 'late', AT)).toBe('late')
  for (let n = 1; n < LABELS_PER_DAY_MAX; n++) view.admit('c', `label-${n}`, TOMORROW)
  expect(view.admit('c', 'one-more', TOMORROW)).toBe(OTHER_LABEL)
})
