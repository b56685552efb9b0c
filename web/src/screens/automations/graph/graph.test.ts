import { describe, expect, test } from 'vitest'
import {
  addBlock,
  type Block,
  connect,
  duplicateBlock,
  elementsOf,
  freshId,
  type Graph,
  indexOfPath,
  inOrder,
  mayConnect,
  placesOf,
  removeBlock,
  tidied,
  upstream,
} from './graph.ts'

const block = (id: string, kind: Block['kind'] = 'ACTION'): Block => ({ id, kind, ref: null, config: {}, position: {} })
const empty: Graph = { blocks: [], edges: [] }
const start = addBlock(empty, block('paid', 'TRIGGER'), {})
const found = addBlock(start, block('late', 'FILTER'), { after: 'paid' })
const chain = addBlock(found, block('mail'), { after: 'late' })
const ways = ({ edges }: Graph) =>
  edges.map(({ fromBlockId, toBlockId, mode }) => `${fromBlockId}-${toBlockId} ${mode}`)

describe('the graph of an automation', () => {
  test('an action behind a filter runs for each row', () =>
    expect(ways(chain)).toEqual(['paid-late ONCE', 'late-mail FOR_EACH']))

  test('a block that is put into an edge stands between its ends', () => {
    const edge = chain.edges[0]?.id ?? ''
    expect(ways(addBlock(chain, block('ask'), { edge }))).toEqual([
      'paid-ask ONCE',
      'late-mail FOR_EACH',
      'ask-late ONCE',
    ])
  })

  test('a block that is taken out leaves no gap', () =>
    expect(ways(removeBlock(chain, 'late'))).toEqual(['paid-mail ONCE']))

  test('edges lead neither back, nor to a trigger, nor twice to the same block', () => {
    expect(mayConnect(chain, 'mail', 'late')).toBe(false)
    expect(mayConnect(chain, 'mail', 'paid')).toBe(false)
    expect(mayConnect(chain, 'paid', 'late')).toBe(false)
    expect(mayConnect(chain, 'mail', 'mail')).toBe(false)
    expect(ways(connect(chain, 'paid', 'mail'))).toContain('paid-mail ONCE')
  })

  test('a copy is reached as its original is, under an id of its own', () => {
    const { graph, id } = duplicateBlock(chain, 'mail')
    expect(id).toBe('mail2')
    expect(ways(graph)).toContain('late-mail2 FOR_EACH')
  })

  test('what runs before a block is known, also through a chain of elements', () => {
    expect(upstream(chain, 'mail')).toEqual(['late', 'paid'])
    expect(elementsOf(chain, 'mail')?.fromBlockId).toBe('late')
    expect(elementsOf(chain, 'late')).toBeUndefined()
    expect(inOrder({ ...chain, blocks: chain.blocks.toReversed() }).map(({ id }) => id)).toEqual([
      'paid',
      'late',
      'mail',
    ])
  })

  test('tidying puts each block in the column behind what leads to it', () => {
    const moved = { ...chain, blocks: chain.blocks.map((each, at) => ({ ...each, position: { x: 5, y: at * 200 } })) }
    expect(placesOf(moved).get('mail')).toEqual({ x: 5, y: 400 })
    expect([...placesOf(tidied(moved)).values()].map(({ x }) => x)).toEqual([0, 380, 760])
  })

  test('cards that would cover each other are tidied', () => {
    const close = { ...chain, blocks: chain.blocks.map((each, at) => ({ ...each, position: { x: at * 240, y: 0 } })) }
    expect([...placesOf(close).values()].map(({ x }) => x)).toEqual([0, 380, 760])
  })

  test('ids can be read', () => {
    expect(freshId([], 'email.send')).toBe('email_send')
    expect(freshId([{ id: 'late' }], 'late')).toBe('late2')
  })

  test('a warning is found by its path', () => {
    expect(indexOfPath('blocks.1.config.input.id')).toEqual({ list: 'blocks', at: 1, rest: 'config.input.id' })
    expect(indexOfPath('edges.0')).toEqual({ list: 'edges', at: 0, rest: '' })
    expect(indexOfPath('name')).toBeUndefined()
  })
})
