import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { session } from '../../api.ts'
import { today } from '../../shown.tsx'

/** The organization of the address with what documents need of it: its day, its tax, its usual rate. */
export function useHere() {
  const { org } = useParams({ from: '/o/$org' })
  const { data } = useQuery(session)
  const found = data?.organizations.find(({ id }) => id === org)
  return {
    id: org,
    name: found?.name ?? '',
    country: found?.country ?? 'US',
    currency: found?.currency ?? 'USD',
    role: found?.role,
    today: found?.today ?? today(),
    tax: found?.tax ?? { name: '', rate: null, registered: false },
  }
}
