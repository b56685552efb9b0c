import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useWords } from '../../../words.ts'
import { useBlockName, useEditing } from '../editor/editing.ts'
import { type Block, blockOf, connect, type Edge, mayConnect, removeEdge } from '../graph/graph.ts'
import { Finder, fitting } from './finder.tsx'
import { panelWords } from './panel-words.ts'

/** Where a block comes from and leads to, and a way to connect it without a mouse. */
export function Connections({ block }: { block: Block }) {
  const say = useWords(panelWords)
  const { graph, mayEdit } = useEditing()
  const [connecting, setConnecting] = useState(false)
  const into = graph.edges.filter(({ toBlockId }) => toBlockId === block.id)
  const out = graph.edges.filter(({ fromBlockId }) => fromBlockId === block.id)
  return (
    <section className="grid gap-4 border-t border-rule pt-4">
      {block.kind !== 'TRIGGER' && <Ends title={say.comesFrom} edges={into} end="fromBlockId" />}
      <Ends title={say.leadsTo} edges={out} end="toBlockId" />
      {mayEdit && (
        <div>
          <Button icon="link" keys="l" onPress={() => setConnecting(true)}>
            {say.connect}
          </Button>
        </div>
      )}
      {connecting && <ConnectPicker from={block.id} onClose={() => setConnecting(false)} />}
    </section>
  )
}

type EndsProps = { title: string; edges: readonly Edge[]; end: 'fromBlockId' | 'toBlockId' }

function Ends({ title, edges, end }: EndsProps) {
  const say = useWords(panelWords)
  const nameOf = useBlockName()
  const { graph, change, select, mayEdit } = useEditing()
  return (
    <div>
      <h3 className="text-sm text-soft">{title}</h3>
      {edges.length === 0 && <p>{say.nowhere}</p>}
      <ul>
        {edges.map((edge) => {
          const name = nameOf(blockOf(graph, edge[end]))
          return (
            <li key={edge.id} className="flex items-center gap-1">
              <button
                type="button"
                className="flex-1 min-w-0 truncate text-start underline decoration-rule underline-offset-4 min-h-8"
                onClick={() => select({ block: edge[end] })}
              >
                <bdi>{name}</bdi>
              </button>
              <Button
                look="quiet"
                icon="edit"
                label={`${say.edge}: ${name}`}
                onPress={() => select({ edge: edge.id })}
              />
              {mayEdit && (
                <Button
                  look="quiet"
                  icon="trash"
                  label={`${say.remove}: ${name}`}
                  onPress={() => change(removeEdge(graph, edge.id))}
                />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

export function ConnectPicker({ from, onClose }: { from: string; onClose: () => void }) {
  const say = useWords(panelWords)
  const nameOf = useBlockName()
  const { graph, change, select } = useEditing()
  const [text, setText] = useState('')
  const targets = graph.blocks.filter(({ id }) => mayConnect(graph, from, id))
  return (
    <Finder
      title={say.connectTo}
      placeholder={say.block}
      nothing={say.noTarget}
      found={fitting(
        targets.map((block) => ({ key: block.id, name: nameOf(block) })),
        text,
      )}
      text={text}
      onText={setText}
      onPick={({ key }) => {
        const next = connect(graph, from, key)
        change(next)
        onClose()
        const edge = next.edges.at(-1)
        if (edge) select({ edge: edge.id })
      }}
      onClose={onClose}
    />
  )
}
