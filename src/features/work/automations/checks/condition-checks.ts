import type { JsonSchema } from '../../../../core/contract/json-schema.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { readDate } from '../dates.ts'
import { bindingsIn, wholeBindingPath } from '../engine/bindings.ts'
import { toNumber } from '../engine/conditions.ts'
import { isRecord } from '../engine/elements.ts'
import { leavesOf, type Shape } from './shape.ts'
import { shapeOfBinding, type View } from './view.ts'

const orderings = ['gt', 'gte', 'lt', 'lte']
const withoutRight = ['exists', 'empty']

/** Warns of comparisons that never mean what they say: with nothing, or of a number or day with text that is none. */
export function* conditionChecks(cond: unknown, view: View, path: string): Generator<Warning> {
  if (!isRecord(cond)) return
  for (const name of ['all', 'any'])
    if (Array.isArray(cond[name]))
      for (const [n, each] of cond[name].entries()) yield* conditionChecks(each, view, `${path}.${name}.${n}`)
  if ('not' in cond) yield* conditionChecks(cond.not, view, `${path}.not`)
  if (typeof cond.op === 'string' && !withoutRight.includes(cond.op)) yield* comparisonChecks(cond, view, path)
}

function* comparisonChecks(cond: Record<string, unknown>, view: View, path: string): Generator<Warning> {
  const { op, left, right } = cond
  const isOrdering = orderings.includes(String(op))
  if (right === undefined || (isOrdering && right === null)) {
    const hint = op === 'eq' || op === 'ne' ? ' Write right: null to compare with a missing value.' : ''
    const message =
      right === null ? `nothing is more or less than null.` : `${op} needs right, the value to compare with.${hint}`
    yield { code: 'MISSING_OPERAND', message, path: `${path}.right` }
  } else if (isOrdering)
    for (const [side, other, name] of [
      [left, right, 'right'],
      [right, left, 'left'],
    ] as const) {
      const message = notComparable(side, other, view)
      if (message) yield { code: 'NOT_COMPARABLE', message, path: `${path}.${name}` }
    }
}

/** What is wrong with ordering a bound value against a literal. */
function notComparable(bound: unknown, literal: unknown, view: View): string | undefined {
  const path = wholeBindingPath(bound)
  if (path === undefined || literal === null || typeof literal === 'object' || bindingsIn(literal).length > 0)
    return undefined
  const kind = kindOf(shapeOfBinding(path, view))
  const text = JSON.stringify(literal).slice(0, 100)
  if (kind === 'number' && toNumber(literal) === undefined)
    return `{{${path}}} is a number and ${text} is not, so they are compared as text. Write a number such as 1000.`
  if (kind === 'date' && readDate(String(literal), 'UTC') === undefined)
    return `{{${path}}} is a date and ${text} is not, so they are compared as text. Write a day such as 2026-01-31, or {{context.today-3d}}.`
  return undefined
}

/** Whether a value is always a number, or always a day or an instant, if there is one. */
function kindOf(shape: Shape): 'number' | 'date' | undefined {
  const kinds = new Set(leavesOf(shape).flatMap(kindsOfSchema))
  kinds.delete('null')
  const [kind] = kinds
  return kinds.size === 1 && (kind === 'number' || kind === 'date') ? kind : undefined
}

function kindsOfSchema({ type, format, description }: JsonSchema): string[] {
  const isDate = format === 'date-time' || format === 'date' || String(description ?? '').startsWith('A calendar day')
  return [type].flat().map((each) => {
    if (each === 'number' || each === 'integer') return 'number'
    return each === 'string' && isDate ? 'date' : String(each)
  })
}
