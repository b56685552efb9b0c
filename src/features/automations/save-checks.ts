import { forbidden } from '../../core/define/failure.ts'
import type { Member } from '../../core/define/operation.ts'
import type { Catalog } from '../../core/define/services.ts'
import { refusal } from '../../core/define/validate.ts'
import { findAction, missingRight } from './actions/action.ts'
import type { Block, Graph } from './automation.ts'
import { missingRightForSpec } from './filters/check.ts'
import { graphProblems } from './graph.ts'

/** 400 with all problems of the graph. */
export function requireValidGraph(graph: Graph): void {
  const problems = graphProblems(graph)
  if (problems.length > 0) throw refusal(problems)
}

/**
 * An automation runs with the rights of its owner. An editor other than the owner can therefore only save actions and
 * filters that the editor may use too (THR-07).
 */
export function requireEditorRights(catalog: Catalog, blocks: readonly Block[], editor: Member): void {
  for (const block of blocks) {
    const action = block.kind === 'ACTION' ? findAction(catalog, block.ref) : undefined
    if (action?.kind === 'system' && action.operation.within === 'caller')
      throw forbidden(
        `You may not save the block ${block.id}: ${block.ref} acts on the owner's personal account.`,
        'PERSONAL',
      )
    const missing =
      block.kind === 'FILTER'
        ? missingRightForSpec(block.config.spec, editor)
        : action && missingRight(action, { ...editor, source: 'AUTOMATION' })
    if (missing && missing.code !== 'SOURCE')
      throw forbidden(
        `You may not save the block ${block.id} in another person's automation: ${missing.message}`,
        missing.code,
      )
  }
}

export function refuseAutomation({ source }: Member, message: string): void {
  if (source === 'AUTOMATION') throw forbidden(message, 'SOURCE')
}

/**
 * An automation cannot write graphs: they would run with the rights of its owner, and whether the editor of the action
 * has these rights is not known (THR-07).
 */
export const requirePersonAsAuthor = (editor: Member): void =>
  refuseAutomation(editor, 'An automation cannot write the graph of an automation.')
