import { atLeast } from '../../../core/define/access.ts'
import { forbidden } from '../../../core/define/failure.ts'
import type { Member } from '../../../core/define/operation.ts'
import type { Catalog } from '../../../core/define/services.ts'
import { refusal } from '../../../core/define/validate.ts'
import { findAction, missingRight } from './actions/action.ts'
import { usesSecrets } from './actions/request-headers.ts'
import { secretRole } from './actions/secret.ts'
import type { Block, Graph } from './automation.ts'
import { missingRightForSpec } from './filters/check.ts'
import { graphProblems } from './graph.ts'

/** 400 with all problems of the graph. */
export function requireValidGraph(graph: Graph): void {
  const problems = graphProblems(graph)
  if (problems.length > 0) throw refusal(problems)
}

/**
 * An editor other than the owner can only save actions and filters that the role of the editor allows (THR-07). What it does
 * not allow would fail in any case: a run has the lower role of owner and editor. Scopes that the credential lacks are
 * warned of (save-warnings.ts).
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
        : action && missingRight(action, { role: editor.role, scopes: null, source: 'AUTOMATION' })
    if (missing && missing.code !== 'SOURCE')
      throw forbidden(
        `You may not save the block ${block.id} in another person's automation: ${missing.message}`,
        missing.code,
      )
  }
}

/** A secret is sent wherever the graph says, so only those who may set it save such a graph (THR-07). */
export function requireMaySendSecrets(blocks: readonly Block[], { role }: Member): void {
  const block = blocks.find(usesSecrets)
  if (block && !atLeast(role, secretRole))
    throw forbidden(
      `The block ${block.id} sends secrets, which needs the role ${secretRole}, and your role is ${role}.`,
      'ROLE',
    )
}

export function refuseAutomation({ source }: Member, message: string): void {
  if (source === 'AUTOMATION') throw forbidden(message, 'SOURCE')
}

/** An automation cannot write graphs: a graph has a person as its author (THR-07). The database refuses it too. */
export const requirePersonAsAuthor = (editor: Member): void =>
  refuseAutomation(editor, 'An automation cannot write the graph of an automation.')
