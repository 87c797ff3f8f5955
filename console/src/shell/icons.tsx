import type { ReactNode } from 'react'

function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

export const OverviewIcon = () => (
  <Icon>
    <path d="M3 10.5 10 4l7 6.5M5 9v7h10V9" />
  </Icon>
)
export const KeysIcon = () => (
  <Icon>
    <circle cx="7" cy="13" r="3.5" />
    <path d="m9.5 10.5 6.5-6.5M13 7l2.5 2.5" />
  </Icon>
)
export const CallsIcon = () => (
  <Icon>
    <path d="M4 5h12M4 10h12M4 15h8" />
  </Icon>
)
export const UsageIcon = () => (
  <Icon>
    <path d="M4 16V9M10 16V4M16 16v-5" />
  </Icon>
)
export const CompaniesIcon = () => (
  <Icon>
    <path d="M4 16V5h7v11M11 9h5v7M3 16h14M6.5 8h2M6.5 11h2" />
  </Icon>
)
export const PricesIcon = () => (
  <Icon>
    <path d="M3.5 10.5v-7h7l6 6-7 7z" />
    <circle cx="7" cy="7" r="1" />
  </Icon>
)
export const PaymentsIcon = () => (
  <Icon>
    <path d="M4 7h11l-2.5-2.5M16 13H5l2.5 2.5" />
  </Icon>
)
export const StatementIcon = () => (
  <Icon>
    <path d="M5 3h10v14l-2.5-1.5L10 17l-2.5-1.5L5 17zM8 7h4M8 11h4" />
  </Icon>
)
export const TrailIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7" />
    <path d="M10 6v4l3 2" />
  </Icon>
)
export const ModelsIcon = () => (
  <Icon>
    <path d="M10 3l6.5 3.5v7L10 17l-6.5-3.5v-7zM3.5 6.5 10 10l6.5-3.5M10 10v7" />
  </Icon>
)
export const OperationsIcon = () => (
  <Icon>
    <path d="M3 10h3l2-5 4 10 2-5h3" />
  </Icon>
)
export const SetupIcon = () => (
  <Icon>
    <path d="M4 5.5 5.5 7 8 4M4 13l1.5 1.5L8 11.5M11 6h5M11 13.5h5" />
  </Icon>
)
export const BillingIcon = () => (
  <Icon>
    <rect x="3" y="5" width="14" height="10" rx="1.5" />
    <path d="M3 8.5h14M6 12h3" />
  </Icon>
)
export const PeopleIcon = () => (
  <Icon>
    <circle cx="8" cy="7" r="3" />
    <path d="M2.5 16c.5-3 2.5-4.5 5.5-4.5s5 1.5 5.5 4.5M13 4.5a3 3 0 0 1 0 5M15 11.8c1.5.7 2.3 2.1 2.5 4.2" />
  </Icon>
)
