import { atLeast, type Feature, hasScope, type Role, type Scope } from '../../../../core/define/access.ts'
import type { Member, Operation } from '../../../../core/define/operation.ts'
import type { Catalog } from '../../../../core/define/services.ts'
import type { Message, Step } from './session.ts'

export type Reader = Pick<Member, 'role' | 'scopes'>

/** The tools whose data a turn holds, its own and those of the turns before that it was given, and the rights it had. */
export type Fed = { fedBy: string[]; fedRole: Role | null; fedScopes: string[] | null }
export const fedColumns = ['fedBy', 'fedRole', 'fedScopes'] as const

/** Operations of these features answer with their own data; others by all that their caller may read, such as the search. */
const ofOneFeature: readonly Feature[] = [
  'invoices', 'expenses', 'customers', 'suppliers', 'orders', 'logistics', 'bank_accounts', 'settings', 'payroll',
] // biome-ignore format: a list of words

/** Whether this reader may see what a turn said and did. Roles change, and an app has fewer rights than its person. */
export function mayRead({ operations }: Catalog, reader: Reader): (fed: Fed) => boolean {
  const byName = new Map(operations.map((operation) => [operation.name, operation])) // a session has up to a thousand steps
  return (fed) =>
    fed.fedBy.every((name) => {
      const operation = byName.get(name)
      return operation !== undefined && mayUse(operation, reader) && (isOfOneFeature(operation) || covers(reader, fed))
    })
}

/** Operations that show more to callers with further scopes. */
const answersMore = ['dashboard_get', 'orders_match', 'orders_chain', 'expenses_scan']

const isOfOneFeature = ({ feature, name }: Operation) =>
  (ofOneFeature as readonly string[]).includes(feature ?? '') && !answersMore.includes(name)

export const mayUse = (operation: Operation, { role, scopes }: Reader): boolean =>
  atLeast(role, operation.role) && hasScope(scopes, operation.scope)

/** Whether the reader has every right that the turn had. */
function covers({ role, scopes }: Reader, { fedRole, fedScopes }: Fed): boolean {
  if (!atLeast(role, fedRole ?? 'OWNER')) return false
  if (!scopes) return true
  return fedScopes?.every((scope) => hasScope(scopes, scope as Scope)) ?? false
}

export const hiddenData = { hidden: true, reason: 'You may not use this tool now.' }
const hiddenText = 'This is hidden: it was made with tools that you may not use now.'

/** The steps as this caller may see them. */
export function visibleSteps(catalog: Catalog, reader: Reader, found: readonly StepOfTurn[]): Step[] {
  const isReadable = mayRead(catalog, reader)
  return found.map(({ fed, ...step }) => (fed.every(isReadable) ? step : hidden(step)))
}

/** A step with what the turns hold that asked for it and executed it. */
export type StepOfTurn = Step & { fed: Fed[] }

const hidden = (step: Step): Step => ({
  ...step,
  input: hiddenData,
  output: step.output === null ? null : hiddenData,
  error: step.error === null ? null : hiddenText,
})

/** The messages as this caller may see them: the person's own words always, and an answer if its turn may be read. */
export function visibleMessages(catalog: Catalog, reader: Reader, found: readonly MessageOfTurn[]): Message[] {
  const isReadable = mayRead(catalog, reader)
  return found.map(({ fed, ...message }) =>
    message.role === 'user' || fed === null || isReadable(fed) ? message : { ...message, text: hiddenText },
  )
}

export type MessageOfTurn = Message & { fed: Fed | null }

/** The error of a turn, which may quote what it read. */
export const hiddenError = (error: string | null): string | null => (error === null ? null : hiddenText)
