import { useWords } from '../../../words.ts'
import { useBlockName, useEditing, warningsOf } from '../editor/editing.ts'
import { canvasWords } from './canvas-words.ts'
import { useEdgeLabel } from './edge-label.ts'
import { Flow } from './flow.tsx'
import { blockOf, connect, mayConnect, type Place, replaceBlock } from './graph.ts'

type GraphViewProps = { onAdd: (place: Place) => void; onReady: (flow: { fit: () => void }) => void }

/** The graph that one changes: drag to move and to connect, plus on an edge to put a block into it. */
export function GraphView({ onAdd, onReady }: GraphViewProps) {
  const say = useWords(canvasWords)
  const nameOf = useBlockName()
  const labelOf = useEdgeLabel()
  const editing = useEditing()
  const { graph, change, select, selected, mayEdit } = editing
  const named = (id: string) => nameOf(blockOf(graph, id))
  const move = (id: string, position: { x: number; y: number }) => {
    const block = blockOf(graph, id)
    if (block) change(replaceBlock(graph, { ...block, position }), `move ${id}`)
  }
  return (
    <Flow
      label={say.graph}
      graph={graph}
      selected={selected.block}
      nameOf={named}
      onOpen={(block) => select({ block })}
      warningsAt={(block) => warningsOf(editing, { block }).length}
      onReady={onReady}
      edgeData={(edge) => ({
        name: `${say.edge}: ${say.edgeTo(named(edge.fromBlockId), named(edge.toBlockId))}`,
        label: labelOf(edge) || '·',
        selected: selected.edge === edge.id,
        warned: warningsOf(editing, { edge: edge.id }).length > 0,
        onOpen: () => select({ edge: edge.id }),
        onAdd: mayEdit ? () => onAdd({ edge: edge.id }) : undefined,
      })}
      {...(mayEdit && {
        onMove: move,
        onConnect: (from: string, to: string) => change(connect(graph, from, to)),
        mayConnect: (from: string, to: string) => mayConnect(graph, from, to),
      })}
    />
  )
}
