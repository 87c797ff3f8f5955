import * as Radix from '@radix-ui/react-tabs'
import type { ReactNode } from 'react'

export type Tab = { readonly name: string; readonly content: ReactNode }

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <Radix.Root className="tabs" defaultValue={tabs[0]?.name ?? ''}>
      <Radix.List aria-label={label}>
        {tabs.map(({ name }) => (
          <Radix.Trigger key={name} value={name}>
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ name, content }) => (
        <Radix.Content key={name} value={name} tabIndex={-1}>
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
