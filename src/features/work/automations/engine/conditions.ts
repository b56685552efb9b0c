import type { Detail } from '../../../../core/define/failure.ts'
import { compareDates, readDate } from '../dates.ts'
import { type BindingScope, resolve } from './bindings.ts'
import { canonical, isRecord } from './elements.ts'

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'contains', 'exists', 'empty'] as const
type Operator = (typeof operators)[number]

/** The maximum nesting of all, any and not, and the maximum number of comparisons in a condition. */
const depthMax = 16
const comparisonsMax = 200

/** Whether the condition of an edge passes; no condition always passes. docs/automations.md has the table of cases. */
export function passes(cond: unknown, scope: BindingScope): boolean {
  if (cond === null || cond === undefined) return true
  if (!isRecord(cond)) return false
  if (Array.isArray(cond.all)) return cond.all.every((each) => passes(each, scope))
  if (Array.isArray(cond.any)) return cond.any.some((each) => passes(each, scope))
  if ('not' in cond) return !passes(cond.not, scope)
  if (!('op' in cond)) return Object.keys(cond).length === 0
  const [left, right] = [resolve(cond.left, scope), resolve(cond.right, scope)]
  scope.budget?.spend(left, right)
  return holds(cond.op as Operator, left, right, scope.context.timezone)
}

/**
 * Compares loosely: the number 100 equals the text 100, and days compare with instants, as days in the organization's time
 * zone. Other values compare as text.
 */
export function holds(op: Operator, left: unknown, right: unknown, zone: string): boolean {
  switch (op) {
    case 'eq':
      return equal(left, right, zone)
    case 'ne':
      return !equal(left, right, zone)
    case 'gt':
      return isOrdered(left, right, zone, (sign) => sign > 0)
    case 'gte':
      return isOrdered(left, right, zone, (sign) => sign >= 0)
    case 'lt':
      return isOrdered(left, right, zone, (sign) => sign < 0)
    case 'lte':
      return isOrdered(left, right, zone, (sign) => sign <= 0)
    case 'in':
      return isIn(left, right, zone)
    case 'nin':
      return !isIn(left, right, zone)
    case 'contains':
      return contains(left, right, zone)
    case 'exists':
      return !isMissing(left)
    case 'empty':
      return isEmpty(left)
    default:
      return false
  }
}

const isMissing = (value: unknown) => value === null || value === undefined

function isEmpty(value: unknown): boolean {
  if (isMissing(value) || value === '') return true
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function equal(left: unknown, right: unknown, zone: string): boolean {
  if (isMissing(left) || isMissing(right)) return isMissing(left) && isMissing(right)
  if (typeof left === 'object' || typeof right === 'object') return canonical(left) === canonical(right)
  return compare(left, right, zone) === 0
}

function isOrdered(left: unknown, right: unknown, zone: string, matches: (sign: number) => boolean): boolean {
  if (isMissing(left) || isMissing(right) || typeof left === 'object' || typeof right === 'object') return false
  return matches(compare(left, right, zone))
}

/** Negative if `left` is less than `right`. */
function compare(left: unknown, right: unknown, zone: string): number {
  if (typeof left === 'number' || typeof right === 'number') {
    const [a, b] = [toNumber(left), toNumber(right)]
    if (a !== undefined && b !== undefined) return a - b
  }
  const [a, b] = [String(left), String(right)] // booleans become true and false
  const first = readDate(a, zone)
  const second = first && readDate(b, zone)
  if (first && second) return compareDates(first, second)
  return a === b ? 0 : a < b ? -1 : 1
}

/** The number that a value is compared as, if it is one. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)
    ? Number(value)
    : undefined
}

const isIn = (left: unknown, right: unknown, zone: string) => [right].flat().some((each) => equal(left, each, zone))

function contains(left: unknown, right: unknown, zone: string): boolean {
  if (Array.isArray(left)) return left.some((each) => equal(each, right, zone))
  if (isMissing(left) || isMissing(right) || typeof left === 'object' || typeof right === 'object') return false
  return String(left).includes(String(right))
}

/** The problems of a condition, found when it is saved. */
export function conditionProblems(cond: unknown, path: string): Detail[] {
  if (countComparisons(cond) > comparisonsMax)
    return [{ path, message: `${path} has more than ${comparisonsMax} comparisons.`, code: 'CONDITION' }]
  return syntaxProblems(cond, path)
}

function countComparisons(cond: unknown): number {
  if (!isRecord(cond)) return 1
  const inner = [cond.all, cond.any, cond.not].flat().filter((each) => each !== undefined)
  return inner.length > 0 ? inner.reduce<number>((sum, each) => sum + countComparisons(each), 0) : 1
}

function syntaxProblems(cond: unknown, path: string, depth = 0): Detail[] {
  if (depth > depthMax) return [{ path, message: `${path} is nested too deeply.`, code: 'CONDITION' }]
  const syntax = { path, message: `${path} must be {left, op, right}, {all: [...]}, {any: [...]} or {not: ...}.` }
  if (!isRecord(cond)) return [{ ...syntax, code: 'CONDITION' }]
  const [key] = Object.keys(cond)
  if (key === undefined) return []
  const inner = (each: unknown, at: string) => syntaxProblems(each, `${path}.${at}`, depth + 1)
  if (Object.keys(cond).length === 1) {
    if ((key === 'all' || key === 'any') && Array.isArray(cond[key]))
      return cond[key].flatMap((each, n) => inner(each, `${key}.${n}`))
    if (key === 'not') return inner(cond.not, 'not')
  }
  const known = Object.keys(cond).every((name) => ['left', 'op', 'right'].includes(name))
  if (!known || !('op' in cond) || !('left' in cond)) return [{ ...syntax, code: 'CONDITION' }]
  if (operators.includes(cond.op as Operator)) return []
  return [{ path: `${path}.op`, message: `${path}.op must be one of ${operators.join(', ')}.`, code: 'CONDITION' }]
}
