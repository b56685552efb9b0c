import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useWords } from '../../../words.ts'
import { canvasWords } from '../graph/canvas-words.ts'
import { useEdgeLabel } from '../graph/edge-label.ts'
import { type Block, blockOf, type Edge, inOrder } from '../graph/graph.ts'
import { useBlockName, useEditing, warningsOf } from './editing.ts'
import { blockIcon } from './names.ts'
import { automationWords } from './words.ts'

/** The graph as a list: every block and connection in the order of a run, each opened and changed by keyboard. */
export function Outline({ onAdd }: { onAdd: (after: string | undefined) => void }) {
  const say = useWords(canvasWords)
  const { graph, mayEdit } = useEditing()
  return (
    <div className="overflow-y-auto p-4 md:p-5 grid gap-6 content-start">
      <section>
        <h2 className="font-medium pb-2">{say.steps}</h2>
        <ol className="border border-rule rounded-lg bg-card divide-y divide-rule">
          {inOrder(graph).map((block, at) => (
            <BlockRow key={block.id} block={block} at={at} onAdd={() => onAdd(block.id)} />
          ))}
        </ol>
        {mayEdit && (
          <div className="pt-3">
            <Button icon="plus" keys="n" onPress={() => onAdd(undefined)}>
              {say.add}
            </Button>
          </div>
        )}
      </section>
      {graph.edges.length > 0 && (
        <section>
          <h2 className="font-medium pb-2">{say.connections}</h2>
          <ul className="border border-rule rounded-lg bg-card divide-y divide-rule">
            {graph.edges.map((edge) => (
              <EdgeRow key={edge.id} edge={edge} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const row = 'flex items-center gap-3 px-3 py-2 min-h-11'
const opener = 'flex-1 min-w-0 text-start min-h-8'

function BlockRow({ block, at, onAdd }: { block: Block; at: number; onAdd: () => void }) {
  const say = useWords(canvasWords)
  const kinds = useWords(automationWords).kinds
  const nameOf = useBlockName()
  const editing = useEditing()
  const { graph, select, selected, mayEdit } = editing
  const warned = warningsOf(editing, { block: block.id }).length
  const next = graph.edges.filter(({ fromBlockId }) => fromBlockId === block.id)
  return (
    <li className={`${row} ${selected.block === block.id ? 'bg-wash' : ''}`}>
      <span className="text-soft tabular-nums w-5 text-end">{at + 1}</span>
      <Icon name={blockIcon(block)} className="text-accent" />
      <button type="button" className={opener} onClick={() => select({ block: block.id })}>
        <span className="block text-xs text-soft">{kinds[block.kind]}</span>
        <bdi className="block font-medium truncate on-line-start">{nameOf(block)}</bdi>
        {next.length > 0 && (
          <span className="block text-sm text-soft truncate">
            {say.leadsTo} <bdi>{next.map(({ toBlockId }) => nameOf(blockOf(graph, toBlockId))).join(', ')}</bdi>
          </span>
        )}
      </button>
      {warned > 0 && (
        <span className="inline-flex items-center gap-1 text-sm text-warn">
          <Icon name="alert" />
          {say.warnings(warned)}
        </span>
      )}
      {mayEdit && <Button look="quiet" icon="plus" label={`${say.add}: ${nameOf(block)}`} onPress={onAdd} />}
    </li>
  )
}

function EdgeRow({ edge }: { edge: Edge }) {
  const say = useWords(canvasWords)
  const nameOf = useBlockName()
  const { graph, select, selected } = useEditing()
  const label = useEdgeLabel()(edge)
  const [from, to] = [nameOf(blockOf(graph, edge.fromBlockId)), nameOf(blockOf(graph, edge.toBlockId))]
  return (
    <li className={`${row} ${selected.edge === edge.id ? 'bg-wash' : ''}`}>
      <Icon name="forth" className="text-soft" />
      <button type="button" className={opener} onClick={() => select({ edge: edge.id })}>
        <span className="block truncate">{say.edgeTo(from, to)}</span>
        {label && <bdi className="block text-sm text-soft truncate on-line-start">{label}</bdi>}
      </button>
    </li>
  )
}
