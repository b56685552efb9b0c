import { answersTo, roleOf } from '../../../core/contract/tool-list.ts'
import { allows, atLeast, type Role, type Scope, type Source } from '../../../core/define/access.ts'
import type { Operation } from '../../../core/define/operation.ts'
import type { Catalog } from '../../../core/define/services.ts'
import { type EngineAction, engineActions } from './engine-actions.ts'

/** What the `ref` of an ACTION block names: a tool, or something built into the engine. */
export type Action = { kind: 'system'; operation: Operation } | { kind: 'engine'; action: EngineAction }

/** Tools go by their name or an alias, and also as `invoices.send`. Undefined for what there is not. */
export function actionNamed({ operations }: Catalog, ref: string | null): Action | undefined {
  const action = engineActions.find(({ name }) => name === ref)
  if (action) return { kind: 'engine', action }
  const operation = ref === null ? undefined : operations.find((each) => answersTo(each, ref))
  return operation && { kind: 'system', operation }
}

/** Somebody's rights in the organization: those of their role, if a credential does not limit them further. */
export type Rights = { role: Role; scopes: readonly string[] | null; source: Source }

/** Why somebody may not do this, naming the scope or role that is missing; undefined when they may. */
export function missingRight(action: Action, { role, scopes, source }: Rights): Missing | undefined {
  const needs = needsOf(action)
  if (!needs.sources.includes(source)) return { code: 'SOURCE', says: `${needs.name} cannot be done by an automation.` }
  if (scopes && !allows(scopes, needs.scope))
    return { code: 'SCOPE', says: `${needs.name} needs the scope ${needs.scope}.` }
  if (needs.role && !atLeast(role, needs.role))
    return { code: 'ROLE', says: `${needs.name} needs the role ${needs.role}, and theirs is ${role}.` }
  return undefined
}

export type Missing = { code: 'SOURCE' | 'SCOPE' | 'ROLE'; says: string }

type Needs = { name: string; scope: Scope; role: Role | null; sources: readonly Source[] }

function needsOf(named: Action): Needs {
  if (named.kind === 'engine') return { ...named.action, sources: ['AUTOMATION'] }
  const { name, scope, sources } = named.operation
  return { name, scope, role: roleOf(named.operation), sources }
}

export const featureOf = (named: Action) => (named.kind === 'engine' ? named.action.feature : named.operation.feature)
