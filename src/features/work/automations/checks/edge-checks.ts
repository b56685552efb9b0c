import type { Warning } from '../../../../core/define/schema.ts'
import { suggestion } from '../../../../core/values/nearest.ts'
import type { Edge } from '../automation.ts'
import { bindingsIn } from '../engine/bindings.ts'
import { passes } from '../engine/conditions.ts'
import { isRecord } from '../engine/elements.ts'
import { conditionChecks } from './condition-checks.ts'
import { type BlockFlow, type Flow, listShape } from './flow.ts'
import { notABinding } from './plain-text.ts'
import { isAnything, isList, listsIn, namesIn, shapeAt } from './shape.ts'
import { textsIn } from './texts.ts'
import { bindingProblem, type View, viewOfEdge } from './view.ts'

/** Warns of the condition and the list of one edge. */
export function* edgeChecks(flow: Flow, edge: Edge, path: string): Generator<Warning> {
  const source = flow.blocks.get(edge.fromBlockId)
  const target = flow.blocks.get(edge.toBlockId)
  const elements = flow.edges.get(edge)
  if (!source || !target || !elements) return
  if (target.block.kind === 'TRIGGER')
    yield {
      code: 'EDGE_TO_TRIGGER',
      message: `The edge ${edge.id} has no effect: the TRIGGER ${edge.toBlockId} runs only when its own event occurs.`,
      path: `${path}.toBlockId`,
    }
  yield* listWarnings(edge, source, path)
  if (edge.cond === null) return
  const view = viewOfEdge(flow, edge, elements, { source, target })
  let isUnknown = false
  for (const { path: place, text } of textsIn(edge.cond, `${path}.cond`)) {
    const mistake = notABinding(text)
    if (mistake) yield { code: 'NOT_A_BINDING', message: `The edge ${edge.id}: ${mistake}`, path: place }
    for (const binding of bindingsIn(text)) {
      const problem = bindingProblem(binding, view)
      if (!problem) continue
      isUnknown = true
      yield { code: problem.code, message: `The edge ${edge.id}: ${problem.message}`, path: place }
    }
  }
  for (const { message, ...warning } of conditionChecks(edge.cond, view, `${path}.cond`))
    yield { ...warning, message: `The edge ${edge.id}: ${message}` }
  if (isUnknown && outcomeOf(edge.cond, view) === false)
    yield {
      code: 'NEVER_FOLLOWED',
      message: `The edge ${edge.id} is never followed: its condition compares with a value that does not exist.`,
      path: `${path}.cond`,
    }
}

/** Warns if FOR_EACH finds no list. An element that came over FOR_EACH goes on as it is, so it needs none. */
function* listWarnings(edge: Edge, source: BlockFlow, path: string): Generator<Warning> {
  const { id, mode, each, fromBlockId } = edge
  if (mode !== 'FOR_EACH') {
    if (each)
      yield {
        code: 'UNUSED_EACH',
        message: `The edge ${id}: each has an effect only with mode FOR_EACH.`,
        path: `${path}.each`,
      }
    return
  }
  const at = each ? shapeAt(source.output, each.split('.')) : { found: source.output }
  if ('missing' in at) {
    const hint = suggestion(at.missing.split('.').at(-1) ?? '', namesIn(at.in))
    yield {
      code: 'UNKNOWN_FIELD',
      message: `The edge ${id}: the output of the block ${fromBlockId} has no ${at.missing}.${hint}`,
      path: `${path}.each`,
    }
    return
  }
  const isPossible = listShape(edge, source.output).some((schema) => isList(schema) || isAnything(schema))
  if (isPossible || (!each && source.elements.repeats !== 'never')) return
  const lists = each ? [] : listsIn(source.output)
  const hint = lists.length > 0 ? `Set each to ${lists.slice(0, 5).join(' or ')}.` : 'Use ONCE.'
  yield {
    code: 'NOT_A_LIST',
    message: `The edge ${id}: ${each ? `${each} in the` : 'the'} output of the block ${fromBlockId} is not a list, so its target runs once. ${hint}`,
    path: each ? `${path}.each` : `${path}.mode`,
  }
}

const needBoth = ['gt', 'gte', 'lt', 'lte', 'contains']

/** What a condition comes to whatever the data is; undefined if that depends on the data. */
function outcomeOf(cond: unknown, view: View): boolean | undefined {
  if (!isRecord(cond)) return undefined
  if (Array.isArray(cond.all)) return combine(cond.all, view, false)
  if (Array.isArray(cond.any)) return combine(cond.any, view, true)
  if ('not' in cond) {
    const inner = outcomeOf(cond.not, view)
    return inner === undefined ? undefined : !inner
  }
  const isMissing = (side: unknown) =>
    typeof side === 'string' && /^\{\{[^{}]*\}\}$/.test(side) && hasNoValue(side, view)
  const { left, right, op } = cond
  if (needBoth.includes(String(op)) && (isMissing(left) || isMissing(right))) return false
  const isKnown = (side: unknown) => isMissing(side) || bindingsIn(side).length === 0
  return isKnown(left) && isKnown(right) ? passes(cond, nothing) : undefined
}

const hasNoValue = (text: string, view: View) => bindingsIn(text).every((binding) => bindingProblem(binding, view))

const nothing = {
  trigger: null,
  blocks: new Map(),
  context: { now: '', today: '', weekday: '', orgId: '', timezone: 'UTC' },
}

/** `all` is false if one is, and `any` is true if one is. */
function combine(inner: readonly unknown[], view: View, decisive: boolean): boolean | undefined {
  const outcomes = inner.map((each) => outcomeOf(each, view))
  if (outcomes.includes(decisive)) return decisive
  return outcomes.includes(undefined) ? undefined : !decisive
}
