import { createContext, useContext } from 'react'
import type { Output } from '../../../api.ts'
import { useLanguage, useWords } from '../../../words.ts'
import { canvasWords } from '../graph/canvas-words.ts'
import { type FilterObject, type Known, sourcesFor } from '../graph/catalog.ts'
import { type Block, elementsOf, type Graph, indexOfPath } from '../graph/graph.ts'
import { type Source, sampleOf, valueAt } from '../panels/bindings.ts'
import { blockName } from './names.ts'
import type { Warning } from './warnings.tsx'

export type Selection = { block?: string; edge?: string }
export type RunData = Output<'automations_run'>

/** What the parts of the canvas share. */
export type Editing = {
  graph: Graph
  /** Changes under one tag that follow each other are undone together. */
  change: (graph: Graph, tag?: string) => void
  select: (selection: Selection) => void
  selected: Selection
  known: Known
  objects: Record<string, FilterObject>
  /** The newest run, for samples of values. */
  lastRun: RunData | undefined
  warnings: readonly Warning[]
  mayEdit: boolean
  organizationId: string
}

export const EditingContext = createContext<Editing | null>(null)

export function useEditing(): Editing {
  const editing = useContext(EditingContext)
  if (!editing) throw new Error('Only inside the canvas.')
  return editing
}

/** The name of a block as people read it; its id while nothing is chosen. */
export function useBlockName() {
  const lang = useLanguage()
  return (block: Block | undefined) => (block ? blockName(lang, block) || block.id : '')
}

/** What a block can take values from, and what these were the last time. */
export function useSources(blockId: string): { sources: Source[]; sampleAt: (path: string) => unknown } {
  const say = useWords(canvasWords)
  const nameOf = useBlockName()
  const editing = useEditing()
  const names = { trigger: say.trigger, item: say.item, context: say.context, block: nameOf }
  const element = elementsOf(editing.graph, blockId)
  const from = element && { blockId: element.fromBlockId, each: element.each ?? null }
  const sample = sampleOf(editing.lastRun, from)
  return { sources: sourcesFor(editing, blockId, names), sampleAt: (path) => valueAt(sample, path) }
}

/** The warnings of the server about a block or an edge, each with its path inside it. */
export function warningsOf({ graph, warnings }: Pick<Editing, 'graph' | 'warnings'>, { block, edge }: Selection) {
  return warnings.flatMap((warning) => {
    const found = indexOfPath(warning.path)
    const id = found && graph[found.list][found.at]?.id
    const isHere = found?.list === 'blocks' ? id === block : id === edge
    return found && id && isHere ? [{ ...warning, path: found.rest }] : []
  })
}
