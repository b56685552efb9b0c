import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Output, read } from '../../../api.ts'
import type { Schema } from '../../../ui/schema/schema.ts'
import { elementSchema, pathsOf, type Source, type Taken } from '../panels/bindings.ts'
import { type Block, blockOf, elementsOf, type Graph, upstream } from './graph.ts'

type Catalog = Output<'automations_catalog'>
export type FilterObject = Catalog['filterCatalog'][string]
export type Known = {
  trigger: (type: string | null) => Catalog['triggers'][number] | undefined
  action: (name: string | null) => Catalog['actions'][number] | undefined
}

const forever = { staleTime: Number.POSITIVE_INFINITY }

/** What the catalog says of the events and actions that a graph uses. */
export function useKnown({ blocks }: Graph): Known {
  const names = [...new Set(blocks.flatMap(({ kind, ref }) => (ref && kind !== 'FILTER' ? [ref] : [])))].sort()
  const { data } = useQuery({
    ...read('automations_catalog', { names }),
    ...forever,
    enabled: names.length > 0,
    placeholderData: keepPreviousData,
  })
  return {
    trigger: (type) => data?.triggers.find((each) => each.type === type),
    action: (name) => data?.actions.find((each) => each.name === name || each.name === name?.replaceAll('.', '_')),
  }
}

/** Every object that filters can find, with its fields and relations. */
export function useFilterObjects(): Record<string, FilterObject> {
  const { data: lines } = useQuery({ ...read('automations_catalog', { kind: 'filters' }), ...forever })
  const names = lines?.found?.filters.map(({ name }) => name) ?? []
  const { data } = useQuery({ ...read('automations_catalog', { names }), ...forever, enabled: names.length > 0 })
  return data?.filterCatalog ?? {}
}

const typed = { string: 'string', number: 'number', boolean: 'boolean', date: 'string' } as const

/** What a block gives to the blocks behind it, as a schema. */
export function outputOf(known: Known, objects: Record<string, FilterObject>, block: Block | undefined): Schema | null {
  if (block?.kind === 'TRIGGER') return known.trigger(block.ref)?.payloadSchema ?? null
  if (block?.kind === 'ACTION') return known.action(block.ref)?.outputSchema ?? null
  return block?.kind === 'FILTER' ? rowsOf(objects, block.config.spec as Spec | undefined) : null
}

type Spec = {
  root?: string
  follows?: readonly { name: string; from: string; as?: string }[]
  extract?: readonly { as: string; path: string; fn?: string }[]
  shape?: string
}

/** The rows of a filter: a list of objects with what is extracted, a list of values, or one value. */
function rowsOf(objects: Record<string, FilterObject>, spec: Spec | undefined): Schema | null {
  if (!spec?.extract) return null
  const properties = Object.fromEntries(
    spec.extract.map(({ as, path, fn }) => {
      const [, field] = path.split('.')
      const type = fn ? 'number' : fieldType(objects, field)
      return [as, { type }]
    }),
  )
  const row: Schema = { type: 'object', properties }
  const first = Object.values(properties)[0] ?? {}
  if (spec.shape === 'scalar') return first
  return { type: 'array', items: spec.shape === 'scalars' ? first : row }
}

const fieldType = (objects: Record<string, FilterObject>, field: string | undefined) => {
  const found = Object.values(objects).flatMap(({ fields }) => fields.filter(({ name }) => name === field))[0]
  return found ? typed[found.type] : 'string'
}

type Names = { trigger: string; item: string; context: string; block: (block: Block) => string }

/** Everything a block can take values from: its trigger, the blocks before it, the current element, the day. */
export function sourcesFor(
  { graph, known, objects }: { graph: Graph; known: Known; objects: Record<string, FilterObject> },
  id: string,
  names: Names,
): Source[] {
  const before = upstream(graph, id)
    .map((each) => blockOf(graph, each))
    .filter((block) => block !== undefined)
  const taken = (root: string, schema: Schema | null | undefined): Taken[] =>
    pathsOf(schema).map(({ path, type }) => ({ path: `${root}.${path}`, label: path, type }))
  const element = elementsOf(graph, id)
  const source = blockOf(graph, element?.fromBlockId)
  return [
    ...(element
      ? [
          {
            key: 'item',
            label: names.item,
            of: taken('item', elementSchema(outputOf(known, objects, source), element.each)),
          },
        ]
      : []),
    ...before
      .filter(({ kind }) => kind === 'TRIGGER')
      .map((block) => ({ key: block.id, label: names.trigger, of: taken('trigger', outputOf(known, objects, block)) })),
    ...before
      .filter(({ kind }) => kind !== 'TRIGGER')
      .map((block) => ({
        key: block.id,
        label: names.block(block),
        of: taken(`blocks.${block.id}`, outputOf(known, objects, block)),
      })),
    {
      key: 'context',
      label: names.context,
      of: ['today', 'now', 'weekday', 'timezone', 'orgId'].map((name) => ({
        path: `context.${name}`,
        label: name,
        type: 'string',
      })),
    },
  ].filter(({ of }) => of.length > 0)
}
