import { roleOf } from '../../../../core/contract/tool-list.ts'
import { atLeast, hasScope, type Role, type Scope, type Source } from '../../../../core/define/access.ts'
import type { Operation } from '../../../../core/define/operation.ts'
import type { Catalog } from '../../../../core/define/services.ts'
import { memoize } from '../../../../core/values/memoize.ts'
import { markOf } from '../protected-steps.ts'
import type { Rights } from '../rights.ts'
import type { EngineAction } from './engine-action.ts'
import { engineActions } from './engine-actions.ts'

/** The action that the `ref` of an ACTION block names: a tool (an operation), or one built into the engine. */
export type Action = { kind: 'system'; operation: Operation } | { kind: 'engine'; action: EngineAction }

/** A tool is found by its name, by an alias, or in the form `invoices.send`. Undefined if there is no such action. */
export function findAction(catalog: Catalog, ref: string | null): Action | undefined {
  const action = engineActions.find(({ name }) => name === ref)
  if (action) return { kind: 'engine', action }
  const operation = ref === null ? undefined : toolsByName(catalog).get(ref.replaceAll('.', '_'))
  return operation && { kind: 'system', operation }
}

const toolsByName = memoize(({ operations }: Catalog) => {
  const tools = new Map<string, Operation>()
  for (const operation of operations)
    for (const name of [operation.name, ...operation.aliases]) if (!tools.has(name)) tools.set(name, operation)
  return tools
})

/** The names of all actions, without their aliases. */
export const actionNames = memoize(({ operations }: Catalog): string[] => [
  ...engineActions.map(({ name }) => name),
  ...operations.map(({ name }) => name),
])

/** The right that is missing for an action; undefined if the action is allowed. */
export function missingRight(action: Action, { role, scopes, source }: Rights): MissingRight | undefined {
  const required = requirementsOf(action)
  if (!required.sources.includes(source))
    return { code: 'SOURCE', message: `${required.name} cannot be called by an automation.` }
  if (!hasScope(scopes, required.scope))
    return { code: 'SCOPE', message: `${required.name} needs the scope ${required.scope}.` }
  if (required.role && !atLeast(role, required.role))
    return { code: 'ROLE', message: `${required.name} needs the role ${required.role}, and the role here is ${role}.` }
  return undefined
}

export type MissingRight = { code: 'SOURCE' | 'SCOPE' | 'ROLE'; message: string }

type Requirements = { name: string; scope: Scope; role: Role | null; sources: readonly Source[] }

function requirementsOf(action: Action): Requirements {
  if (action.kind === 'engine') return { ...action.action, sources: ['AUTOMATION'] }
  const { name, scope, sources } = action.operation
  return { name, scope, role: roleOf(action.operation), sources }
}

/** The mark of the data that an action takes and returns. */
export const markOfAction = (action: Action): string | null =>
  action.kind === 'engine' ? action.action.feature : markOf(action.operation)
