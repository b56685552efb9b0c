/** A guard as people read it: comparisons, joined by all, any or none, as deep as it goes. */
export type Comparison = { left: string; op: Operator; right: unknown }
export type Group = { join: 'all' | 'any' | 'none'; of: readonly Condition[] }
export type Condition = Comparison | Group

export const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'contains', 'exists', 'empty'] as const
export type Operator = (typeof operators)[number]

/** Operators that look at one value only. */
export const isLone = (op: Operator) => op === 'exists' || op === 'empty'
export const isGroup = (condition: Condition): condition is Group => 'join' in condition

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The guard of an edge as a group; what always passes is an empty one. */
export function readGuard(cond: unknown): Group {
  const read = readCondition(cond)
  if (!read) return { join: 'all', of: [] }
  return isGroup(read) ? read : { join: 'all', of: [read] }
}

function readCondition(cond: unknown): Condition | undefined {
  if (!isObject(cond)) return undefined
  for (const join of ['all', 'any'] as const) {
    const list = cond[join]
    if (Array.isArray(list)) return { join, of: list.map(readCondition).filter((each) => each !== undefined) }
  }
  if ('not' in cond) return negated(readCondition(cond.not))
  if (!operators.includes(cond.op as Operator)) return undefined
  return { left: shownOperand(cond.left), op: cond.op as Operator, right: cond.right }
}

const negated = (inside: Condition | undefined): Condition => {
  if (!inside) return { join: 'none', of: [] }
  return isGroup(inside) && inside.join === 'any' ? { ...inside, join: 'none' } : { join: 'none', of: [inside] }
}

/** What is stored: nothing for a guard without comparisons, a single comparison without a group around it. */
export function writeGuard(group: Group): Record<string, unknown> | null {
  const of = group.of.map(writeCondition).filter((each) => each !== null)
  const [only] = of
  if (only === undefined) return null
  if (group.join === 'none') return { not: of.length === 1 ? only : { any: of } }
  return of.length === 1 ? only : { [group.join]: of }
}

const writeCondition = (condition: Condition): Record<string, unknown> | null => {
  if (isGroup(condition)) return writeGuard(condition)
  const { left, op, right } = condition
  return isLone(op) ? { left, op } : { left, op, right: right ?? '' }
}

/** An operand as it is typed: a list with commas between its elements. */
export const shownOperand = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(shownOperand).join(', ')
    : value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)

/** Numbers and yes or no are what they look like; what begins with a zero is text. A list is typed with commas. */
export function readOperand(text: string, isList: boolean): unknown {
  if (isList && !/^\s*\{\{[^}]*\}\}\s*$/.test(text)) {
    const parts = text.split(',').map((each) => each.trim())
    return parts.filter((each) => each !== '').map((each) => readOperand(each, false))
  }
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && String(Number(text)) === text ? Number(text) : text
}
