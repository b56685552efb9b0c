import { forbidden } from '../../core/define/failure.ts'
import type { Member } from '../../core/define/operation.ts'
import type { Warning } from '../../core/define/schema.ts'
import type { Catalog } from '../../core/define/services.ts'
import { refusal } from '../../core/define/validate.ts'
import { actionNamed, missingRight, type Rights } from './actions/action.ts'
import type { Block, Graph } from './automation.ts'
import { missingForSaved, specWarnings } from './filters/check.ts'
import { graphProblems } from './graph.ts'

/** 400 with everything that is wrong with the graph. */
export function requireSound(graph: Graph): void {
  const problems = graphProblems(graph)
  if (problems.length > 0) throw refusal(problems)
}

/**
 * Whoever edits the automation of somebody else may not have it do what they could not do themselves (THR-07): it has the
 * owner's rights when it fires.
 */
export function requireOwnReach(catalog: Catalog, blocks: readonly Block[], editor: Member): void {
  for (const block of blocks) {
    const action = block.kind === 'ACTION' ? actionNamed(catalog, block.ref) : undefined
    if (action?.kind === 'system' && action.operation.within === 'caller')
      throw forbidden(
        `You may not save the block ${block.id}: ${block.ref} is about its owner's own things.`,
        'PERSONAL',
      )
    const missing =
      block.kind === 'FILTER'
        ? missingForSaved(block.config.spec, editor)
        : action && missingRight(action, { ...editor, source: 'AUTOMATION' })
    if (missing && missing.code !== 'SOURCE')
      throw forbidden(
        `You may not save the block ${block.id} in an automation of somebody else: ${missing.says}`,
        missing.code,
      )
  }
}

export function refuseAutomation({ source }: Member, sentence: string): void {
  if (source === 'AUTOMATION') throw forbidden(sentence, 'SOURCE')
}

/**
 * A graph that an automation writes would have the rights of its owner, whoever put it into the action (THR-07): whether
 * they may is only known of people.
 */
export const requireAuthor = (editor: Member): void =>
  refuseAutomation(editor, 'An automation does not write the graphs of automations.')

/** What will fail when the automation fires as things are now. Nothing is refused because of it. */
export function saveWarnings(catalog: Catalog, { blocks }: Graph, owner: Rights | undefined): Warning[] {
  return blocks.flatMap((block, n) =>
    block.kind === 'FILTER'
      ? filterDoubts(block, owner, `blocks.${n}`)
      : doubt(catalog, block, owner).map((each) => ({ ...each, path: `blocks.${n}.ref` })),
  )
}

function filterDoubts({ config }: Block, owner: Rights | undefined, path: string): Warning[] {
  const missing = owner && missingForSaved(config.spec, owner)
  const rights = missing
    ? [{ code: `MISSING_${missing.code}`, message: `The owner may not do this: ${missing.says}`, path }]
    : []
  return [...specWarnings(config.spec, path), ...rights]
}

function doubt(catalog: Catalog, { id, kind, ref }: Block, owner: Rights | undefined): Omit<Warning, 'path'>[] {
  if (kind === 'CUSTOM')
    return [{ code: 'CUSTOM_BLOCK', message: `The block ${id} is CUSTOM, which cannot be carried out yet.` }]
  if (kind === 'TRIGGER' && !catalog.events.some(({ type }) => type === ref))
    return [{ code: 'UNKNOWN_TRIGGER', message: `The block ${id} waits for ${ref}, which is no event of the catalog.` }]
  if (kind !== 'ACTION') return []
  const action = actionNamed(catalog, ref)
  if (!action)
    return [{ code: 'UNKNOWN_ACTION', message: `The block ${id} names ${ref}, which is no action of the catalog.` }]
  const missing = owner && missingRight(action, owner)
  if (!owner) return [{ code: 'NO_OWNER', message: `The owner no longer belongs to the organization (block ${id}).` }]
  return missing ? [{ code: `MISSING_${missing.code}`, message: `The owner may not do this: ${missing.says}` }] : []
}
