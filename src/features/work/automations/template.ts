import { type Static, Type } from '../../../core/define/schema.ts'
import { Block, Edge } from './automation.ts'

export const Template = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  blocks: Type.Array(Block),
  edges: Type.Array(Edge),
  parameters: Type.Array(Type.Object({ path: Type.String(), label: Type.String() }), {
    description: 'What to fill in before it is created; `path` says where.',
  }),
})
export type Template = Static<typeof Template>

export const trigger = (ref: string): Block => block('trigger', 'TRIGGER', ref, {}, 0)
export const action = (id: string, ref: string, input: object, column = 1): Block =>
  block(id, 'ACTION', ref, { input }, column)
export const filter = (id: string, spec: object): Block => block(id, 'FILTER', null, { spec }, 1)

const block = (
  id: string,
  kind: Block['kind'],
  ref: string | null,
  config: Block['config'],
  column: number,
): Block => ({
  id,
  kind,
  ref,
  config,
  position: { x: 240 * column, y: 0 },
})

type EdgeOptions = Pick<Edge, 'cond' | 'mode'>

/** Connects the blocks in the given order. `options` sets the condition or mode of the edge to a block. */
export function chain(
  blocks: Block[],
  options: Record<string, Partial<EdgeOptions>> = {},
): { blocks: Block[]; edges: Edge[] } {
  const edges = blocks.slice(1).map(({ id }, n): Edge => {
    const from = blocks[n]?.id ?? ''
    return { id: `${from}-${id}`, fromBlockId: from, toBlockId: id, cond: null, mode: 'ONCE', order: n, ...options[id] }
  })
  return { blocks, edges }
}
