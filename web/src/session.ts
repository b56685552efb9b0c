import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Role } from '../../src/core/define/access.ts'
import { type Name, session } from './api.ts'
import { operations } from './contract.ts'

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
    country: found?.country ?? 'US',
    currency: found?.currency ?? 'USD',
    role: found?.role,
  }
}

/** Whether the person's role allows an operation: `const may = useMay(); may('customers_create') && …`. */
export function useMay(): (name: Name) => boolean {
  const { role } = useOrganization()
  return (name) => {
    const least = operations[name].role
    return least === null || (role !== undefined && roles.indexOf(role) >= roles.indexOf(least))
  }
}
