import type { CallState } from '../../graphql/generated.ts'
import { DaysFilter } from '../../parts/DaysFilter.tsx'
import { SelectField } from '../../parts/Field.tsx'
import { TextFilter } from '../../parts/TextFilter.tsx'
import { useCallNames } from '../../shell/useCallNames.ts'
import type { CallsSearch } from './callsSearch.ts'
import { STATE } from './callWords.ts'

type Props = {
  readonly search: CallsSearch
  readonly keys: ReadonlyMap<string, string>
  readonly onChange: (change: { readonly [Name in keyof CallsSearch]?: CallsSearch[Name] | undefined }) => void
}

const ALL = { value: '', label: 'All' }

export function CallFilters({ search, keys, onChange }: Props) {
  const names = useCallNames()
  return (
    <search className="filters">
      {keys.size > 0 && (
        <SelectField
          label="Key"
          value={search.key ?? ''}
          options={[ALL, ...[...keys].map(([value, label]) => ({ value, label }))]}
          onPick={(key) => onChange({ key: key || undefined })}
        />
      )}
      <SelectField
        label="State"
        value={search.state ?? ''}
        options={[ALL, ...Object.entries(STATE).map(([value, { name }]) => ({ value, label: name }))]}
        onPick={(state) => onChange({ state: (state || undefined) as CallState | undefined })}
      />
      <DaysFilter days={search.days} onPick={(days) => onChange({ days })} />
      <TextFilter
        label="Model"
        placeholder="All"
        value={search.alias ?? ''}
        names={names?.models}
        onPick={(alias) => onChange({ alias: alias || undefined })}
      />
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
