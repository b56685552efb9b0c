import type { Warning } from '../../../core/define/schema.ts'
import type { Catalog } from '../../../core/define/services.ts'
import { nearest } from '../../../core/values/nearest.ts'
import { type Action, actionNames, findAction, type MissingRight, missingRight } from './actions/action.ts'
import type { Block, Graph } from './automation.ts'
import { graphChecks } from './checks/graph-checks.ts'
import { isRecord } from './engine/elements.ts'
import { missingRightForSpec, missingScopesForSpec, specWarnings } from './filters/check.ts'
import { markOfTrigger, missingToRead } from './protected-steps.ts'
import { problemSentence, type Rights, type RightsProblem } from './rights.ts'

type CurrentRights = { rights: Rights | undefined; problem: RightsProblem | null }

const warningsMax = 100

/** Warns of what would fail if the automation ran now. The automation can be saved and enabled all the same. */
export function saveWarnings(catalog: Catalog, graph: Graph, current: CurrentRights): Warning[] {
  const warnings = rightsWarnings(catalog, graph, current)
  for (const warning of graphChecks(catalog, graph)) {
    if (warnings.length >= warningsMax) break
    warnings.push(warning)
  }
  return warnings.slice(0, warningsMax)
}

/** The same while a graph is saved: it will run with the role and the scopes of its author. */
export const authorWarnings = (catalog: Catalog, graph: Graph, { role, scopes }: Pick<Rights, 'role' | 'scopes'>) =>
  saveWarnings(catalog, graph, { rights: { role, scopes, source: 'AUTOMATION' }, problem: null })

/** Warns of blocks that cannot be executed, or not with these rights. */
function rightsWarnings(catalog: Catalog, { blocks }: Graph, current: CurrentRights): Warning[] {
  const hidden = blocks.flatMap((block, n) => hiddenPayload(block, current.rights?.scopes ?? null, `blocks.${n}.ref`))
  const failing = blocks.flatMap((block, n) =>
    block.kind === 'FILTER'
      ? filterWarnings(block, current.rights, `blocks.${n}`)
      : blockWarnings(catalog, block, current).map((warning) => ({ ...warning, path: `blocks.${n}.ref` })),
  )
  return [...hidden, ...failing].map(withRemedy)
}

const withRemedy = ({ code, message, path }: Warning): Warning => ({
  code,
  message:
    code === 'MISSING_SCOPE' ? `${message} Save the graph signed in, or with a key that has the scope.` : message,
  path,
})

/** Warns of a trigger whose payload the graph may not read: its runs start, and see only the ids of the payload. */
function hiddenPayload({ id, kind, ref }: Block, scopes: readonly string[] | null, path: string): Warning[] {
  const missing = kind === 'TRIGGER' ? missingToRead(markOfTrigger(ref), { role: 'OWNER', scopes }) : undefined
  const message = `The block ${id}: without ${missing} the payload of ${ref} holds only id and organizationId.`
  return missing ? [{ code: 'MISSING_SCOPE', path, message }] : []
}

/** Warns of blocks outside the scopes of the credential that the graph is saved with. Its runs are limited to these. */
export function missingScopes(
  catalog: Catalog,
  { blocks }: Pick<Graph, 'blocks'>,
  { role, scopes }: Pick<Rights, 'role' | 'scopes'>,
): Warning[] {
  if (!scopes) return []
  return blocks.flatMap((block, n) => {
    if (block.kind === 'FILTER') return filterScopeWarnings(block, scopes, `blocks.${n}`)
    const action = block.kind === 'ACTION' ? findAction(catalog, block.ref) : undefined
    const missing = action && missingRight(action, { role, scopes, source: 'AUTOMATION' })
    return missing?.code === 'SCOPE' ? [{ ...missingWarning(block, missing), path: `blocks.${n}.ref` }] : []
  })
}

const missingWarning = ({ id }: Block, { code, message }: MissingRight): Omit<Warning, 'path'> => ({
  code: `MISSING_${code}`,
  message: `The block ${id} will fail: ${message}`,
})

function filterWarnings(block: Block, rights: Rights | undefined, path: string): Warning[] {
  const missing = rights && missingRightForSpec(block.config.spec, rights)
  return [
    ...specWarnings(block.config.spec, path).map((warning) => named(block, warning)),
    ...(missing ? [{ ...missingWarning(block, missing), path }] : []),
    ...filterScopeWarnings(block, rights?.scopes ?? null, path),
  ]
}

const filterScopeWarnings = (block: Block, scopes: readonly string[] | null, path: string): Warning[] =>
  missingScopesForSpec(block.config.spec, scopes, `${path}.config.spec`).map((warning) => named(block, warning))

const named = ({ id }: Block, { message, ...warning }: Warning): Warning => ({
  ...warning,
  message: `The block ${id}: ${message}`,
})

function blockWarnings(catalog: Catalog, block: Block, { rights, problem }: CurrentRights): Omit<Warning, 'path'>[] {
  const { id, kind, ref } = block
  if (kind === 'CUSTOM')
    return [{ code: 'CUSTOM_BLOCK', message: `The block ${id} is CUSTOM, which cannot be executed yet.` }]
  if (kind === 'TRIGGER' && !catalog.events.some(({ type }) => type === ref))
    return [{ code: 'UNKNOWN_TRIGGER', message: unknownTrigger(catalog, block) }]
  if (kind !== 'ACTION') return []
  const action = findAction(catalog, ref)
  if (!action) return [{ code: 'UNKNOWN_ACTION', message: unknownAction(catalog, block) }]
  if (problem) return [{ code: `NO_${problem}`, message: `${problemSentence[problem]} (block ${id})` }]
  const missing = refusedInRuns(block, action) ?? (rights && missingRight(action, rights))
  return missing ? [missingWarning(block, missing)] : []
}

/** Operations that call `refuseAutomation` while they run; two of them only for certain fields. */
function refusedInRuns({ config }: Block, action: Action): MissingRight | undefined {
  const name = action.kind === 'system' ? action.operation.name : ''
  const fields = refusedFields[name]
  const isGiven = (field: string) => isRecord(config.input) && Boolean(config.input[field])
  if (!fields || (fields.length > 0 && !fields.some(isGiven))) return undefined
  const what = fields.length > 0 ? `${name} with ${fields.join(' or ')}` : name
  return { code: 'SOURCE', message: `${what} cannot be called by an automation.` }
}

const refusedFields: Readonly<Record<string, readonly string[]>> = {
  automations_create: [],
  automations_test: [],
  automations_replay: [],
  automations_replay_failed: [],
  automations_cancel: [],
  automations_update: ['blocks', 'edges'],
  automations_disable: ['stop'],
}

function unknownTrigger({ events }: Catalog, { id, ref }: Block): string {
  if (ref === null) return `The block ${id} has no ref: the event that it waits for, such as invoice.paid.`
  return `The block ${id} waits for ${ref}, which is not in the catalog.${meant(
    ref,
    events.map(({ type }) => type),
  )}`
}

function unknownAction(catalog: Catalog, { id, ref }: Block): string {
  if (ref === null) return `The block ${id} has no ref: the action that it takes, such as invoices_send.`
  return `The block ${id} calls ${ref}, which is not in the catalog.${meant(ref, actionNames(catalog))}`
}

function meant(ref: string, names: readonly string[]): string {
  const name = nearest(ref, names)
  return name === undefined ? ' automations_catalog lists what there is.' : ` Did you mean ${name}?`
}
