import { memoizeText } from '../values/memoize.ts'

/** Who may do what: features and scopes, roles, auth sources. */

const keyFeatures = [
  'invoices', 'expenses', 'customers', 'suppliers', 'orders', 'logistics', 'reports', 'bank_accounts', 'organizations',
  'users', 'automations', 'integrations', 'settings',
] as const // biome-ignore format: a list of words

/** Payroll and companion have no key scope of their own; a key reaches them with `*` alone (specification, part 1). */
export type Feature = (typeof keyFeatures)[number] | 'payroll' | 'companion'
export type Access = 'read' | 'write'
export type Scope = `${Feature}:${Access}`

/** What an app may ask a person for: every feature by name, and none for all of them. */
export const appScopes: readonly Scope[] = [...keyFeatures, 'payroll' as const, 'companion' as const].flatMap(
  (feature): Scope[] => [`${feature}:read`, `${feature}:write`],
)

export const keyScopePattern = `^(\\*|${keyFeatures.join('|')}):(read|write|\\*)$`

/** The scopes that cover what an operation needs. */
export const scopesCovering = memoizeText((needed): readonly string[] => {
  const [feature, access] = needed.split(':')
  return [needed, `${feature}:*`, `*:${access}`, '*:*']
}) as (needed: Scope) => readonly string[]

/** Whether a credential is good for what needs a scope. One without scopes has every right of its person. */
export const hasScope = (scopes: readonly string[] | null, needed: Scope): boolean =>
  scopes === null || scopesCovering(needed).some((scope) => scopes.includes(scope))

/** Every scope there is, for asking what a credential has without needing any one of them. */
export const allScopes: readonly string[] = ['*', ...keyFeatures, 'payroll', 'companion'].flatMap((feature) => [
  `${feature}:read`,
  `${feature}:write`,
  `${feature}:*`,
])

/** Each role includes those before it. */
export const roles = ['EMPLOYEE', 'VIEWER', 'CONTRIBUTOR', 'MANAGER', 'OWNER'] as const
export type Role = (typeof roles)[number]
export const atLeast = (role: Role, least: Role) => roles.indexOf(role) >= roles.indexOf(least)

export const sources = ['SESSION', 'API_KEY', 'OAUTH', 'AUTOMATION', 'COMPANION'] as const
export type Source = (typeof sources)[number]
/** How a caller came in: with a credential of some source, with a signed link to one thing, or with neither (PUBLIC). */
export type CallerSource = Source | 'LINK' | 'PUBLIC'
