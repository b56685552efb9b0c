import type { Search } from '../../search.ts'

export type SetFilters = (change: Search) => void
export type Filters = { customer?: string; type?: string; from?: string; to?: string }

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
/** The filters in the address. */
export const chosenFilters = ({ customer, type, from, to }: Search): Filters => ({
  ...(text(customer) && { customer: String(customer) }),
  ...(text(type) && { type: String(type) }),
  ...(text(from) && { from: String(from) }),
  ...(text(to) && { to: String(to) }),
})
