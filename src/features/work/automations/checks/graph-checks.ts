import type { Warning } from '../../../../core/define/schema.ts'
import type { Catalog } from '../../../../core/define/services.ts'
import type { Graph } from '../automation.ts'
import { blockChecks } from './block-checks.ts'
import { edgeChecks } from './edge-checks.ts'
import { flowOf } from './flow.ts'
import { viewOfBlock } from './view.ts'

/**
 * Warns of what will not work in a valid graph, without running it: bindings without a value, input that an action refuses,
 * lists that are none, blocks and edges that are never reached. What depends on the data is not warned of.
 */
export function* graphChecks(catalog: Catalog, graph: Graph): Generator<Warning> {
  const flow = flowOf(catalog, graph)
  for (const [n, { id }] of graph.blocks.entries()) {
    const at = flow.blocks.get(id)
    if (at) yield* blockChecks(catalog, at, viewOfBlock(flow, at), `blocks.${n}`)
  }
  for (const [n, edge] of graph.edges.entries()) yield* edgeChecks(flow, edge, `edges.${n}`)
}
