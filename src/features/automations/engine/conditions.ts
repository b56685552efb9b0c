import type { Detail } from '../../../core/define/failure.ts'
import { type BindingScope, resolve } from './bindings.ts'

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'contains', 'exists', 'empty'] as const
type Operator = (typeof operators)[number]

/** Deep enough for anything a person draws. */
const depthMax = 16

/** Whether a guard lets its edge be followed; no guard always does. docs/automations.md has the table of cases. */
export function passes(cond: unknown, scope: BindingScope): boolean {
  if (cond === null || cond === undefined) return true
  if (!isRecord(cond)) return false
  if (Array.isArray(cond.all)) return cond.all.every((each) => passes(each, scope))
  if (Array.isArray(cond.any)) return cond.any.some((each) => passes(each, scope))
  if ('not' in cond) return !passes(cond.not, scope)
  if (!('op' in cond)) return Object.keys(cond).length === 0
  return holds(cond.op as Operator, resolve(cond.left, scope), resolve(cond.right, scope))
}

/** Compares as people write: the number 100 equals the text 100, days compare with instants, the rest is text. */
export function holds(op: Operator, left: unknown, right: unknown): boolean {
  switch (op) {
    case 'eq':
      return equal(left, right)
    case 'ne':
      return !equal(left, right)
    case 'gt':
      return ordered(left, right, (sign) => sign > 0)
    case 'gte':
      return ordered(left, right, (sign) => sign >= 0)
    case 'lt':
      return ordered(left, right, (sign) => sign < 0)
    case 'lte':
      return ordered(left, right, (sign) => sign <= 0)
    case 'in':
      return within(left, right)
    case 'nin':
      return !within(left, right)
    case 'contains':
      return contains(left, right)
    case 'exists':
      return !isNothing(left)
    case 'empty':
      return isEmpty(left)
    default:
      return false
  }
}

const isNothing = (value: unknown) => value === null || value === undefined

function isEmpty(value: unknown): boolean {
  if (isNothing(value) || value === '') return true
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function equal(left: unknown, right: unknown): boolean {
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right)
  if (typeof left === 'object' || typeof right === 'object') return canonical(left) === canonical(right)
  return compared(left, right) === 0
}

function ordered(left: unknown, right: unknown, fits: (sign: number) => boolean): boolean {
  if (isNothing(left) || isNothing(right) || typeof left === 'object' || typeof right === 'object') return false
  return fits(compared(left, right))
}

/** Below 0 when the left one is less. */
function compared(left: unknown, right: unknown): number {
  const numbers = typeof left === 'number' || typeof right === 'number' ? bothAs(toNumber, left, right) : undefined
  const pair = numbers ?? bothAs(toMoment, left, right)
  if (pair) return pair[0] - pair[1]
  const [a, b] = [String(left), String(right)] // booleans read true and false
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

/** A day is its first moment in UTC. */
function toMoment(value: unknown): number | undefined {
  if (typeof value !== 'string' || !iso.test(value)) return undefined
  const moment = Date.parse(value)
  return Number.isNaN(moment) ? undefined : moment
}

const within = (left: unknown, right: unknown) => [right].flat().some((each) => equal(left, each))

function contains(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) return left.some((each) => equal(each, right))
  if (isNothing(left) || isNothing(right) || typeof left === 'object' || typeof right === 'object') return false
  return String(left).includes(String(right))
}

/** Objects that say the same are equal, in whatever order they say it. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is wrong with a guard as it is saved. */
export function conditionProblems(cond: unknown, path: string, depth = 0): Detail[] {
  if (depth > depthMax) return [{ path, message: `${path} is nested too deep.`, code: 'CONDITION' }]
  const grammar = { path, message: `${path} must be {left, op, right}, {all: [...]}, {any: [...]} or {not: ...}.` }
  if (!isRecord(cond)) return [{ ...grammar, code: 'CONDITION' }]
  const [word] = Object.keys(cond)
  if (word === undefined) return []
  const inner = (each: unknown, at: string) => conditionProblems(each, `${path}.${at}`, depth + 1)
  if (Object.keys(cond).length === 1) {
    if ((word === 'all' || word === 'any') && Array.isArray(cond[word]))
      return cond[word].flatMap((each, n) => inner(each, `${word}.${n}`))
    if (word === 'not') return inner(cond.not, 'not')
  }
  const known = Object.keys(cond).every((name) => ['left', 'op', 'right'].includes(name))
  if (!known || !('op' in cond) || !('left' in cond)) return [{ ...grammar, code: 'CONDITION' }]
  if (operators.includes(cond.op as Operator)) return []
  return [{ path: `${path}.op`, message: `${path}.op must be one of ${operators.join(', ')}.`, code: 'CONDITION' }]
}
