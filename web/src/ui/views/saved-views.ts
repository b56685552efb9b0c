import { useQuery } from '@tanstack/react-query'
import { type Output, read } from '../../api.ts'
import type { Search } from '../../search.ts'
import { useMay, useOrganization } from '../../session.ts'

export type SavedView = Output<'views_list'>['views'][number]

/** What of the address makes a view: everything but what is open, and the language. */
export function viewOf({ open: _open, new: _new, saved: _saved, lang: _lang, ...address }: Search): string {
  const parts = Object.entries(address).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(parts.map(([key, value]) => [key, String(value)]))
  query.sort()
  return query.toString()
}
export const addressOf = (search: string): Search => Object.fromEntries(new URLSearchParams(search))

/** The views that a person saved for this list, and those that the organization shares. */
export function useSavedViews(screen: string) {
  const { id: organizationId } = useOrganization()
  const may = useMay()
  const { data } = useQuery({
    ...read('views_list', { organizationId, screen }),
    enabled: may('views_list'),
    staleTime: 60_000,
  })
  return data?.views ?? []
}
