import { allows, atLeast } from '../../core/define/access.ts'
import type { Member } from '../../core/define/operation.ts'
import type { Block, Edge } from './automation.ts'
import { blocksNamedIn, namesItem } from './engine/bindings.ts'

/** What steps of payroll took and gave is for those who may read payroll, wherever it was handed on to. */
export const readsPayroll = ({ role, scopes }: Pick<Member, 'role' | 'scopes'>) =>
  atLeast(role, 'CONTRIBUTOR') && (scopes === null || allows(scopes, 'payroll:read'))

type Taken = { blockId: string; feature: string | null }

/** Whether a block is given something of what payroll gave to one before it. */
export function takesPayroll({ id, config }: Block, edges: readonly Edge[], steps: Iterable<Taken>): boolean {
  const payroll = new Set<string>()
  for (const { blockId, feature } of steps) if (feature === 'payroll') payroll.add(blockId)
  if (payroll.size === 0) return false
  const isPayroll = (blockId: string) => payroll.has(blockId)
  const before = edges.filter(({ toBlockId }) => toBlockId === id).map(({ fromBlockId }) => fromBlockId)
  return blocksNamedIn(config, isPayroll).length > 0 || (namesItem(config) && before.some(isPayroll))
}
