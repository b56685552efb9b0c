import { allows, atLeast } from '../../core/define/access.ts'
import type { Member } from '../../core/define/operation.ts'
import type { Block, Edge } from './automation.ts'
import { bindsItem, boundBlocks } from './engine/bindings.ts'

/** Payroll data in steps is shown only to readers with access to payroll, also where other steps received it. */
export const mayReadPayroll = ({ role, scopes }: Pick<Member, 'role' | 'scopes'>) =>
  atLeast(role, 'CONTRIBUTOR') && (scopes === null || allows(scopes, 'payroll:read'))

type StepFeature = { blockId: string; feature: string | null }

/** Whether a block is bound to the output of an earlier step that holds payroll data. */
export function receivesPayroll({ id, config }: Block, edges: readonly Edge[], steps: Iterable<StepFeature>): boolean {
  const payroll = new Set<string>()
  for (const { blockId, feature } of steps) if (feature === 'payroll') payroll.add(blockId)
  if (payroll.size === 0) return false
  const isPayroll = (blockId: string) => payroll.has(blockId)
  const sources = edges.filter(({ toBlockId }) => toBlockId === id).map(({ fromBlockId }) => fromBlockId)
  return boundBlocks(config, isPayroll).length > 0 || (bindsItem(config) && sources.some(isPayroll))
}
