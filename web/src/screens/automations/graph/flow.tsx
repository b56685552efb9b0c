import { applyNodeChanges, Background, ReactFlow, type ReactFlowInstance } from '@xyflow/react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { focusBlock } from '../editor/focus-block.ts'
import type { OutcomeKind } from '../runs/outcome.tsx'
import { BlockCard, type BlockNode } from './block-card.tsx'
import { type EdgeData, EdgeLine } from './edge-line.tsx'
import { type Graph, inOrder, placesOf } from './graph.ts'

type FlowProps = {
  label: string
  graph: Graph
  selected?: string | undefined
  nameOf: (id: string) => string
  edgeData: (edge: Graph['edges'][number]) => EdgeData
  warningsAt?: (id: string) => number
  outcomeOf?: (id: string) => { outcome: OutcomeKind | undefined; below?: string } | undefined
  onOpen: (id: string) => void
  /** Without them the graph is only looked at. */
  onMove?: (id: string, place: { x: number; y: number }) => void
  onConnect?: (from: string, to: string) => void
  mayConnect?: (from: string, to: string) => boolean
  onReady?: (flow: { fit: () => void }) => void
}

const nodeTypes = { block: BlockCard }
const edgeTypes = { line: EdgeLine }
/** Never so small that nobody can read it; a long graph goes on outside. */
const fitting = { maxZoom: 1, minZoom: 0.8, padding: 0.2 }

/** The graph, from left to right in every language, as on a statement; the words in a block keep their own direction. */
export function Flow(props: FlowProps) {
  const { label, graph, onOpen, onMove, onConnect, mayConnect, onReady } = props
  const [nodes, setNodes] = useState<BlockNode[]>([])
  useEffect(
    () => setNodes((before) => nodesOf(props, before)),
    [graph, props.selected, props.outcomeOf, props.warningsAt],
  )
  const flow = useRef<View>(undefined)
  const room = useRef<HTMLDivElement>(null)
  useInView(room, flow, props.selected)
  const edges = graph.edges.map((edge) => ({
    id: edge.id,
    type: 'line',
    source: edge.fromBlockId,
    target: edge.toBlockId,
    data: props.edgeData(edge),
    focusable: false,
  }))
  return (
    <div ref={room} className="size-full" onKeyDown={(event) => onArrow(event, graph, onOpen)}>
      <ReactFlow
        dir="ltr"
        aria-label={label}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onInit={(made) => {
          flow.current = made
          onReady?.({ fit: () => void made.fitView(fitting) })
        }}
        onNodesChange={(changes) => setNodes((before) => applyNodeChanges(changes, before))}
        onNodeClick={(_, { id }) => onOpen(id)}
        onNodeDragStop={(_, { id, position }) => onMove?.(id, position)}
        onConnect={({ source, target }) => onConnect?.(source, target)}
        isValidConnection={({ source, target }) => mayConnect?.(source, target) ?? false}
        nodesDraggable={onMove !== undefined}
        nodesConnectable={onConnect !== undefined}
        nodesFocusable
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        zoomOnDoubleClick={false}
        fitView
        fitViewOptions={fitting}
        minZoom={0.2}
        proOptions={{ hideAttribution: true }}
        colorMode="system"
      >
        <Background gap={20} />
      </ReactFlow>
    </div>
  )
}

/** The selected block stays in view when it is chosen and when a panel beside the graph takes room. */
function useInView(room: Ref<HTMLDivElement>, flow: Ref<View>, id: string | undefined) {
  useEffect(() => {
    if (!id || !room.current) return
    const show = () => room.current && flow.current && bringIntoView(flow.current, room.current, id)
    const watching = new ResizeObserver(() => requestAnimationFrame(show))
    watching.observe(room.current)
    return () => watching.disconnect()
  }, [id])
}
type View = Pick<ReactFlowInstance<BlockNode>, 'getInternalNode' | 'getViewport' | 'setViewport'>
type Ref<T> = { current: T | null | undefined }

/** Moves the graph no further than needed. */
function bringIntoView(flow: View, room: HTMLElement, id: string) {
  const node = flow.getInternalNode(id)
  if (!node) return
  const { x, y, zoom } = flow.getViewport()
  const { x: left, y: top } = node.internals.positionAbsolute
  const { width = 240, height = 60 } = node.measured
  const dx = beyond(left * zoom + x, width * zoom, room.clientWidth)
  const dy = beyond(top * zoom + y, height * zoom, room.clientHeight)
  if (dx !== 0 || dy !== 0) void flow.setViewport({ x: x - dx, y: y - dy, zoom })
}
/** How far something goes beyond the edges of the room, with some space around it. */
function beyond(start: number, size: number, room: number): number {
  const around = 24
  if (start < around || size + 2 * around > room) return start - around
  return Math.max(0, start + size + around - room)
}

/** In the order in which they run, so that Tab goes along. What was measured before is kept. */
function nodesOf({ graph, selected, nameOf, outcomeOf, warningsAt }: FlowProps, before: readonly BlockNode[]) {
  const places = placesOf(graph)
  return inOrder(graph).map((block): BlockNode => {
    const { id } = block
    const measured = before.find((node) => node.id === id)?.measured
    return {
      id,
      type: 'block',
      position: places.get(id) ?? { x: 0, y: 0 },
      data: { block, warnings: warningsAt?.(id) ?? 0, ...outcomeOf?.(id) },
      selected: id === selected,
      ariaLabel: nameOf(id),
      initialWidth: 240,
      initialHeight: 60,
      ...(measured && { measured }),
    }
  })
}

const idOf = (target: EventTarget) => (target as HTMLElement).closest<HTMLElement>('.react-flow__node')?.dataset.id

/** Left and right along the edges, up and down between the blocks that follow the same one; Enter opens. */
function onArrow(event: KeyboardEvent, graph: Graph, onOpen: (id: string) => void) {
  const id = idOf(event.target)
  if (!id || event.altKey || event.metaKey || event.ctrlKey) return
  const next = neighbourOf(graph, id, event.key)
  if (event.key === 'Enter' || event.key === ' ') onOpen(id)
  else if (next) focusBlock(next)
  else return
  event.preventDefault()
}

function neighbourOf({ blocks, edges }: Graph, id: string, key: string): string | undefined {
  if (key === 'ArrowRight') return edges.find(({ fromBlockId }) => fromBlockId === id)?.toBlockId
  const before = edges.find(({ toBlockId }) => toBlockId === id)?.fromBlockId
  if (key === 'ArrowLeft') return before
  const beside = before
    ? edges.filter(({ fromBlockId }) => fromBlockId === before).map(({ toBlockId }) => toBlockId)
    : blocks.filter(({ kind }) => kind === 'TRIGGER').map((block) => block.id)
  const at = beside.indexOf(id)
  return key === 'ArrowDown' ? beside[at + 1] : key === 'ArrowUp' ? beside[at - 1] : undefined
}
