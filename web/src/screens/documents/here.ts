import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { session } from '../../api.ts'
import { noCurrency, useTaxName } from '../../session.ts'
import { today } from '../../shown.tsx'
import { capital } from '../../words.ts'

/** The organization of the address with what documents need of it: its day, its tax, its usual rate. */
export function useHere() {
  const { org } = useParams({ from: '/o/$org' })
  const { data } = useQuery(session)
  const found = data?.organizations.find(({ id }) => id === org)
  const tax = useTaxName()
  return {
    id: org,
    name: found?.name ?? '',
    currency: found?.currency ?? noCurrency,
    role: found?.role,
    today: found?.today ?? today(),
    tax: { name: capital(tax), rate: found?.tax.rate ?? null },
  }
}
