import type { Detail } from '../../../core/define/failure.ts'
import { type BindingScope, resolve } from './bindings.ts'
import { canonical, isRecord } from './elements.ts'

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'contains', 'exists', 'empty'] as const
type Operator = (typeof operators)[number]

/** The maximum nesting of all, any and not. */
const depthMax = 16

/** Whether the condition of an edge passes; no condition always passes. docs/automations.md has the table of cases. */
export function passes(cond: unknown, scope: BindingScope): boolean {
  if (cond === null || cond === undefined) return true
  if (!isRecord(cond)) return false
  if (Array.isArray(cond.all)) return cond.all.every((each) => passes(each, scope))
  if (Array.isArray(cond.any)) return cond.any.some((each) => passes(each, scope))
  if ('not' in cond) return !passes(cond.not, scope)
  if (!('op' in cond)) return Object.keys(cond).length === 0
  return holds(cond.op as Operator, resolve(cond.left, scope), resolve(cond.right, scope))
}

/** Compares loosely: the number 100 equals the text 100, and days compare with instants. Other values compare as text. */
export function holds(op: Operator, left: unknown, right: unknown): boolean {
  switch (op) {
    case 'eq':
      return equal(left, right)
    case 'ne':
      return !equal(left, right)
    case 'gt':
      return isOrdered(left, right, (sign) => sign > 0)
    case 'gte':
      return isOrdered(left, right, (sign) => sign >= 0)
    case 'lt':
      return isOrdered(left, right, (sign) => sign < 0)
    case 'lte':
      return isOrdered(left, right, (sign) => sign <= 0)
    case 'in':
      return isIn(left, right)
    case 'nin':
      return !isIn(left, right)
    case 'contains':
      return contains(left, right)
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

function equal(left: unknown, right: unknown): boolean {
  if (isMissing(left) || isMissing(right)) return isMissing(left) && isMissing(right)
  if (typeof left === 'object' || typeof right === 'object') return canonical(left) === canonical(right)
  return compare(left, right) === 0
}

function isOrdered(left: unknown, right: unknown, matches: (sign: number) => boolean): boolean {
  if (isMissing(left) || isMissing(right) || typeof left === 'object' || typeof right === 'object') return false
  return matches(compare(left, right))
}

/** Negative if `left` is less than `right`. */
function compare(left: unknown, right: unknown): number {
  const numbers = typeof left === 'number' || typeof right === 'number' ? bothAs(toNumber, left, right) : undefined
  const pair = numbers ?? bothAs(toTimestamp, left, right)
  if (pair) return pair[0] - pair[1]
  const [a, b] = [String(left), String(right)] // booleans become true and false
  return a === b ? 0 : a < b ? -1 : 1
}

function bothAs(read: (value: unknown) => number | undefined, left: unknown, right: unknown) {
  const [a, b] = [read(left), read(right)]
  return a === undefined || b === undefined ? undefined : ([a, b] as const)
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)
    ? Number(value)
    : undefined
}

const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/

/** A day counts as its midnight in UTC. */
function toTimestamp(value: unknown): number | undefined {
  if (typeof value !== 'string' || !iso.test(value)) return undefined
  const timestamp = Date.parse(value)
  return Number.isNaN(timestamp) ? undefined : timestamp
}

const isIn = (left: unknown, right: unknown) => [right].flat().some((each) => equal(left, each))

function contains(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) return left.some((each) => equal(each, right))
  if (isMissing(left) || isMissing(right) || typeof left === 'object' || typeof right === 'object') return false
  return String(left).includes(String(right))
}

/** The problems of a condition, found when it is saved. */
export function conditionProblems(cond: unknown, path: string, depth = 0): Detail[] {
  if (depth > depthMax) return [{ path, message: `${path} is nested too deeply.`, code: 'CONDITION' }]
  const syntax = { path, message: `${path} must be {left, op, right}, {all: [...]}, {any: [...]} or {not: ...}.` }
  if (!isRecord(cond)) return [{ ...syntax, code: 'CONDITION' }]
  const [key] = Object.keys(cond)
  if (key === undefined) return []
  const inner = (each: unknown, at: string) => conditionProblems(each, `${path}.${at}`, depth + 1)
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
