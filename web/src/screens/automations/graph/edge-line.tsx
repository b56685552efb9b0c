import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react'
import { Icon } from '../../../ui/icon.tsx'
import { useWords } from '../../../words.ts'
import { canvasWords } from './canvas-words.ts'

export type EdgeData = {
  name: string
  label: string
  selected: boolean
  warned: boolean
  onOpen?: () => void
  onAdd?: (() => void) | undefined
}

/** A connection with what it asks for, in full, and a way to put a block into it. */
export function EdgeLine(props: EdgeProps<Edge<EdgeData>>) {
  const say = useWords(canvasWords)
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, data } = props
  const [path, x, y] = getBezierPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition })
  if (!data) return <BaseEdge path={path} />
  const { name, label, selected, warned, onOpen, onAdd } = data
  return (
    <>
      <BaseEdge path={path} className={selected ? 'stroke-accent' : ''} />
      <EdgeLabelRenderer>
        <div
          className="nodrag nopan absolute flex flex-col items-center gap-0.5 pointer-events-auto"
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
        >
          {onOpen && (
            <button
              type="button"
              aria-label={name}
              title={label}
              onClick={onOpen}
              className={`min-h-6 min-w-6 max-w-32 rounded-xl border bg-card px-2 py-0.5 text-xs text-balance break-words ${selected ? 'border-accent text-accent' : warned ? 'border-warn text-warn' : 'border-rule text-soft'}`}
            >
              <bdi>{label}</bdi>
            </button>
          )}
          {onAdd && (
            <button
              type="button"
              aria-label={say.addHere}
              onClick={onAdd}
              className="grid place-content-center size-6 rounded-full border border-rule bg-card text-soft hover:text-accent hover:border-accent"
            >
              <Icon name="plus" size={12} />
            </button>
          )}
        </div>
      </EdgeLabelRenderer>
    </>
  )
}
