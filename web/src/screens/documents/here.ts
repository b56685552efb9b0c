import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { session } from '../../api.ts'
import { today } from '../../shown.tsx'
import { useWords, words } from '../../words.ts'

const taxWords = words({ IL: 'VAT', SG: 'GST', US: 'Sales tax' } as Record<string, string>, {
  IL: 'מע״מ',
  SG: 'GST',
  US: 'מס מכירה',
})

/** The organization of the address with what documents need of it: its day, its tax, its usual rate. */
export function useHere() {
  const { org } = useParams({ from: '/o/$org' })
  const { data } = useQuery(session)
  const found = data?.organizations.find(({ id }) => id === org)
  const taxes = useWords(taxWords)
  return {
    id: org,
    name: found?.name ?? '',
    country: found?.country ?? 'US',
    currency: found?.currency ?? 'USD',
    role: found?.role,
    today: found?.today ?? today(),
    tax: { name: taxes[found?.country ?? ''] ?? found?.tax.name ?? '', rate: found?.tax.rate ?? null },
  }
}
