import type { UsageGroup } from '../../graphql/generated.ts'
import { SelectField } from '../../parts/Field.tsx'
import { TextFilter } from '../../parts/TextFilter.tsx'
import { useCallNames } from '../../shell/useCallNames.ts'
import { DAYS, GROUPS, type UsageSearch } from './usageSearch.ts'

type Props = {
  readonly search: Required<Pick<UsageSearch, 'by' | 'days'>> & UsageSearch
  readonly keys: ReadonlyMap<string, string>
  readonly onChange: (change: { readonly [Name in keyof UsageSearch]?: UsageSearch[Name] | undefined }) => void
}

export function UsageFilters({ search, keys, onChange }: Props) {
  const names = useCallNames()
  const second = GROUPS.filter(({ value }) => value !== search.by)
  return (
    <search className="filters">
      <SelectField
        label="Time"
        value={String(search.days)}
        options={DAYS.map((days) => ({ value: String(days), label: `${days} days` }))}
        onPick={(days) => onChange({ days: Number(days) })}
      />
      <SelectField
        label="By"
        value={search.by}
        options={GROUPS}
        onPick={(by) => onChange({ by: by as UsageGroup, ...(by === search.and && { and: undefined }) })}
      />
      <SelectField
        label="And by"
        value={search.and ?? ''}
        options={[{ value: '', label: 'None' }, ...second]}
        onPick={(and) => onChange({ and: (and || undefined) as UsageGroup | undefined })}
      />
      {keys.size > 0 && (
        <SelectField
          label="Key"
          value={search.key ?? ''}
          options={[{ value: '', label: 'All' }, ...[...keys].map(([value, label]) => ({ value, label }))]}
          onPick={(key) => onChange({ key: key || undefined })}
        />
      )}
      <TextFilter
        label="Label"
        placeholder="All"
        value={search.label ?? ''}
        names={names?.labels}
        onPick={(label) => onChange({ label: label || undefined })}
      />
    </search>
  )
}
