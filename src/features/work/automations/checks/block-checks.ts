import type { Warning } from '../../../../core/define/schema.ts'
import type { Catalog } from '../../../../core/define/services.ts'
import type { Block } from '../automation.ts'
import { bindingsIn } from '../engine/bindings.ts'
import { isRecord } from '../engine/elements.ts'
import type { BlockFlow } from './flow.ts'
import { inputWarnings } from './input-checks.ts'
import { notABinding } from './plain-text.ts'
import { textsIn } from './texts.ts'
import { bindingProblem, type View } from './view.ts'

/** Warns of what one block is bound to, is given, and whether it can start. */
export function* blockChecks(catalog: Catalog, at: BlockFlow, view: View, path: string): Generator<Warning> {
  const { block } = at
  if (at.triggers === 0n)
    yield {
      code: 'UNREACHABLE',
      message: `The block ${block.id} never runs: no path of edges leads to it from a TRIGGER.`,
      path,
    }
  for (const { path: place, text } of boundTexts(block, path)) {
    const mistake = notABinding(text)
    if (mistake) yield { code: 'NOT_A_BINDING', message: `The block ${block.id}: ${mistake}`, path: place }
    for (const binding of bindingsIn(text)) {
      const problem = bindingProblem(binding, view)
      if (problem) yield { code: problem.code, message: `The block ${block.id}: ${problem.message}`, path: place }
    }
  }
  if (block.kind === 'ACTION') yield* inputWarnings(catalog, block, path)
}

/** The texts whose bindings are resolved: the input of an action, and the values of the predicates of a filter. */
function* boundTexts({ kind, config }: Block, path: string) {
  if (kind === 'ACTION') yield* textsIn(config.input, `${path}.config.input`)
  if (kind !== 'FILTER' || !isRecord(config.spec) || !Array.isArray(config.spec.predicates)) return
  for (const [n, each] of config.spec.predicates.entries())
    if (isRecord(each)) yield* textsIn(each.value, `${path}.config.spec.predicates.${n}.value`)
}
