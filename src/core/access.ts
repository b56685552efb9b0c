/** Who may do what: features and scopes, roles, auth sources. */

const keyFeatures = [
  'invoices', 'expenses', 'customers', 'suppliers', 'orders', 'logistics', 'reports', 'bank_accounts', 'organizations',
  'users', 'automations', 'integrations', 'settings',
] as const // biome-ignore format: a list of words

/** Payroll and companion have no key scope of their own; a key reaches them with `*` alone (specification, part 1). */
export type Feature = (typeof keyFeatures)[number] | 'payroll' | 'companion'
export type Access = 'read' | 'write'
export type Scope = `${Feature}:${Access}`

export const keyScopePattern = `^(\\*|${keyFeatures.join('|')}):(read|write|\\*)$`

export function allows(scopes: readonly string[], needed: Scope): boolean {
  const [feature, access] = needed.split(':')
  return scopes.some((scope) => {
    const [f, a] = scope.split(':')
    return (f === '*' || f === feature) && (a === '*' || a === access)
  })
}

/** Each role includes those before it. */
export const roles = ['EMPLOYEE', 'VIEWER', 'CONTRIBUTOR', 'MANAGER', 'OWNER'] as const
export type Role = (typeof roles)[number]
export const atLeast = (role: Role, least: Role) => roles.indexOf(role) >= roles.indexOf(least)

export const sources = ['SESSION', 'API_KEY', 'OAUTH', 'AUTOMATION', 'COMPANION'] as const
export type Source = (typeof sources)[number]
