import type { Warning } from '../../core/define/schema.ts'
import type { Catalog } from '../../core/define/services.ts'
import { findAction, missingRight, type Rights } from './actions/action.ts'
import type { Block, Graph } from './automation.ts'
import { missingRightForSpec, specWarnings } from './filters/check.ts'

/** Warns of blocks that would fail if the automation ran now. The automation can be saved and enabled all the same. */
export function saveWarnings(catalog: Catalog, { blocks }: Graph, owner: Rights | undefined): Warning[] {
  return blocks.flatMap((block, n) =>
    block.kind === 'FILTER'
      ? filterWarnings(block, owner, `blocks.${n}`)
      : blockWarnings(catalog, block, owner).map((warning) => ({ ...warning, path: `blocks.${n}.ref` })),
  )
}

function filterWarnings({ config }: Block, owner: Rights | undefined, path: string): Warning[] {
  const missing = owner && missingRightForSpec(config.spec, owner)
  const rights = missing
    ? [{ code: `MISSING_${missing.code}`, message: `The owner may not do this: ${missing.message}`, path }]
    : []
  return [...specWarnings(config.spec, path), ...rights]
}

function blockWarnings(catalog: Catalog, { id, kind, ref }: Block, owner: Rights | undefined): Omit<Warning, 'path'>[] {
  if (kind === 'CUSTOM')
    return [{ code: 'CUSTOM_BLOCK', message: `The block ${id} is CUSTOM, which cannot be executed yet.` }]
  if (kind === 'TRIGGER' && !catalog.events.some(({ type }) => type === ref))
    return [{ code: 'UNKNOWN_TRIGGER', message: `The block ${id} waits for ${ref}, which is not in the catalog.` }]
  if (kind !== 'ACTION') return []
  const action = findAction(catalog, ref)
  if (!action)
    return [{ code: 'UNKNOWN_ACTION', message: `The block ${id} calls ${ref}, which is not in the catalog.` }]
  if (!owner) return [{ code: 'NO_OWNER', message: `The owner no longer belongs to the organization (block ${id}).` }]
  const missing = missingRight(action, owner)
  return missing ? [{ code: `MISSING_${missing.code}`, message: `The owner may not do this: ${missing.message}` }] : []
}
