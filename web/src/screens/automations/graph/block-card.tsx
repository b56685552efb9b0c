import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { Icon } from '../../../ui/icon.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { blockIcon, blockName } from '../editor/names.ts'
import { automationWords } from '../editor/words.ts'
import { Outcome, type OutcomeKind } from '../runs/outcome.tsx'
import type { Block } from './graph.ts'

export type BlockNode = Node<{ block: Block; warnings: number; outcome?: OutcomeKind | undefined; below?: string }>

const edges: Record<OutcomeKind, string> = {
  SUCCEEDED: 'border-accent',
  FAILED: 'border-danger',
  RUNNING: 'border-info',
  PENDING: 'border-rule',
  SKIPPED: 'border-rule opacity-60',
  CANCELLED: 'border-rule opacity-60',
}

const handle = 'rounded-full border border-edge bg-card'

/** A block as a card: what kind it is, and what it does. */
export function BlockCard({ data: { block, warnings, outcome, below }, selected }: NodeProps<BlockNode>) {
  const say = useWords(automationWords)
  const lang = useLanguage()
  const line = selected ? 'border-accent shadow-float' : outcome ? edges[outcome] : 'border-rule'
  return (
    <div className={`w-60 rounded-lg bg-card border px-3 py-2.5 ${line}`} dir={lang === 'he' ? 'rtl' : 'ltr'}>
      {block.kind !== 'TRIGGER' && <Handle type="target" position={Position.Left} className={handle} />}
      <div className="flex items-center gap-2 text-xs text-soft">
        <Icon name={blockIcon(block)} size={14} className="text-accent" />
        <span className="flex-1">{say.kinds[block.kind]}</span>
        {warnings > 0 && <Icon name="alert" size={14} className="text-warn" />}
        {outcome && <Outcome is={outcome} bare />}
      </div>
      <bdi className="block font-medium truncate on-line-start">{blockName(lang, block) || say.unset}</bdi>
      {below && <bdi className="block text-xs text-soft truncate on-line-start">{below}</bdi>}
      <Handle type="source" position={Position.Right} className={handle} />
    </div>
  )
}
