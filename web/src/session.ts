import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Role } from '../../src/core/define/access.ts'
import type { SignedIn } from '../../src/features/company/people/person.ts'
import { call, type Name, type Output, session } from './api.ts'
import { operations } from './contract.ts'
import { useLanguage } from './words.ts'

export type CountryFacts = SignedIn['countries'][number]

/** From the least to the most. */
const roles: readonly Role[] = ['EMPLOYEE', 'VIEWER', 'CONTRIBUTOR', 'MANAGER', 'OWNER']

/** The organization of the address, as the session knows it. The shell has loaded the session before any screen is shown. */
export function useOrganization() {
  const { org } = useParams({ from: '/o/$org' })
  const { data } = useQuery(session)
  const found = data?.organizations.find(({ id }) => id === org)
  return {
    id: org,
    name: found?.name ?? '',
    country: found?.country ?? '',
    currency: found?.currency ?? noCurrency,
    role: found?.role,
  }
}

/** The code for no currency (ISO 4217), until the session is known. */
export const noCurrency = 'XXX'

/** The countries in which organizations may be. */
export function useCountries(): readonly CountryFacts[] {
  const { data } = useQuery(session)
  return data?.countries ?? []
}

/** What is known of a country; undefined for one in which organizations cannot be. */
export function useCountry(country: string | null | undefined): CountryFacts | undefined {
  return useCountries().find(({ code }) => code === country)
}

/** What the tax on sales is called within a sentence. */
export function useTaxName(): string {
  const { country } = useOrganization()
  const lang = useLanguage()
  return useCountry(country)?.taxName[lang] ?? ''
}

export const isAtLeast = (role: Role | undefined, least: Role): boolean =>
  role !== undefined && roles.indexOf(role) >= roles.indexOf(least)

/** Whether a role allows an operation. */
export function allows(role: Role | undefined, name: Name): boolean {
  const least = operations[name].role
  return least === null || isAtLeast(role, least)
}

/** Whether an operation is for the country of the organization: most are for every country. */
export function useIsHere(): (name: Name) => boolean {
  const { country } = useOrganization()
  const others = useCountries().filter(({ code }) => code !== country)
  return (name) => !others.some(({ operations }) => operations.includes(name))
}

/** Whether the person's role and the country allow an operation: `const may = useMay(); may('customers_create') && …`. */
export function useMay(): (name: Name) => boolean {
  const { role } = useOrganization()
  const isHere = useIsHere()
  return (name) => allows(role, name) && isHere(name)
}

const storing = new Map<string, ReturnType<typeof setTimeout>>()
type Remembered = Pick<Output<'preferences_get'>, 'columnWidths' | 'firstSteps'>

/** What the app remembers for a person, by a key such as the list or the organization: at once here, and stored for their next visit. */
export function useRemembered<K extends keyof Remembered>(kind: K, key: string) {
  const queries = useQueryClient()
  const { data } = useQuery(session)
  const kept = data?.user.preferences[kind] as Remembered[K] | undefined
  const keep = (value: Remembered[K][string]) => {
    if (!data) return
    const preferences = { ...data.user.preferences, [kind]: { ...kept, [key]: value } }
    queries.setQueryData(session.queryKey, { ...data, user: { ...data.user, preferences } })
    clearTimeout(storing.get(kind + key))
    const store = () =>
      void call('preferences_update', { [kind]: { [key]: value } }, { keepalive: true }).catch(() =>
        queries.invalidateQueries({ queryKey: session.queryKey }),
      )
    storing.set(kind + key, setTimeout(store, 400)) // a column is dragged in many steps
  }
  return [kept?.[key] as Remembered[K][string] | undefined, keep] as const
}
