import { usageGroupCases } from '../../test/support/cases/usageGroupCases.ts'
import { USAGE_GROUPS } from './queries.ts'

usageGroupCases({
  ranges: [
    ['2026-02-10T00:00:00.000Z', null],
    ['2026-02-14T05:07:00.000Z', '2026-03-17T21:43:00.000Z'],
    ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
    ['2026-03-03T23:00:00.000Z', '2026-03-04T01:01:00.000Z'],
    ['2026-02-20T10:59:00.000Z', null],
  ],
  groups: USAGE_GROUPS.flatMap((first) => [
    [first] as const,
    ...USAGE_GROUPS.filter((second) => second !== first).map((second) => [first, second] as const),
  ]),
})
