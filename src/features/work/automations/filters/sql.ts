import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { unprepared } from '../../../../core/define/query.ts'
import { comparison } from './comparison.ts'
import type { FieldRef, FilterPlan, Source } from './plan.ts'

export type StatementOptions = {
  today: string
  zone: string
  organizationId: string
  /** How many results are counted at most, and how many are returned. */
  count: number
  shown: number
  /** No row matches; an aggregate without groups is computed from none. */
  findsNothing: boolean
}

/**
 * Executes the single statement of a filter. Each row is a result: the values of the extracts as e0, e1, ..., and the number of
 * results as n. For an aggregate without groups, n is the number of combinations it was computed from.
 *
 * A combination is a root with one row of each followed object that is extracted or grouped by. A followed object that is
 * only used in predicates must exist, but does not multiply the combinations. In a sum or count each object counts once,
 * also if it is part of several combinations.
 */
export async function executeFilter<R>(db: Database, plan: FilterPlan, options: StatementOptions): Promise<R[]> {
  const byId = readById(plan)
  if (byId && !options.findsNothing) return executeById(db, plan, { ...options, ...byId })
  return (await sql<R>`${unprepared} ${queryOf(plan, options)}`.execute(db)).rows
}

/** The statement is compiled once, with the names of its values in their place: compiling it takes longer than sending it. */
async function executeById<R>(
  db: Database,
  plan: FilterPlan,
  { shape, count, shown, ...values }: StatementOptions & { id: string; shape: string },
): Promise<R[]> {
  const key = `${shape} ${count} ${shown}`
  const compiled = compiledById.get(key) ?? sql`${queryOf(withIdMark(plan), { count, shown, ...marks })}`.compile(db)
  compiledById.set(key, compiled)
  const parameters = compiled.parameters.map((value) =>
    typeof value === 'string' && value.startsWith(mark)
      ? values[value.slice(mark.length) as keyof typeof values]
      : value,
  )
  const { rows } = await db.executeQuery({ ...compiled, parameters })
  return rows as R[] // the columns of the statement
}
const compiledById = new Map<string, CompiledQuery>()
const mark = '\u0000'
const marks = {
  today: `${mark}today`, zone: `${mark}zone`, organizationId: `${mark}organizationId`, findsNothing: false,
} // biome-ignore format: a row

const withIdMark = ({ predicates, ...plan }: FilterPlan): FilterPlan => ({
  ...plan,
  predicates: predicates.map(({ literals: [literal], ...each }) => ({
    ...each,
    literals: literal ? [{ ...literal, text: `${mark}id` }] : [],
  })),
})

/** How many different filters are kept as prepared statements; there are more variants than a connection can keep. */
const preparedMax = 100
const preparedShapes = new Set<string>()

/**
 * The id and the shape of a filter whose statement is prepared, so that PostgreSQL plans it once. Only a filter which reads one
 * row by its id is: there is one way to execute it, whatever the id is, and to plan it takes five times as long as to execute it.
 */
function readById({ sources, predicates, groups, extracts }: FilterPlan): { id: string; shape: string } | undefined {
  const [root, ...followed] = sources
  const [byId, ...others] = predicates
  if (!root || !byId || followed.length > 0 || others.length > 0 || groups.length > 0) return undefined
  const { key, fields } = root.object
  const [literal] = byId.literals
  if (key.join() !== 'id' || byId.field !== fields.id || byId.op !== 'eq' || !literal) return undefined
  if (extracts.some(({ fn }) => fn)) return undefined
  const names = extracts.map(({ field }) => Object.keys(fields).find((name) => fields[name] === field))
  const shape = [root.name, literal.cast, ...names].join()
  if (preparedShapes.size < preparedMax) preparedShapes.add(shape)
  return preparedShapes.has(shape) ? { id: literal.text, shape } : undefined
}

/** Asks the planner of PostgreSQL about the same statement. */
export const explainedStatementOf = (plan: FilterPlan, options: StatementOptions): RawBuilder<object> =>
  sql<object>`${unprepared} explain (format json) ${queryOf(plan, options)}`

const queryOf = (plan: FilterPlan, options: StatementOptions) =>
  isAggregate(plan) ? aggregateQuery(plan, options) : listQuery(plan, options)

export const isAggregate = ({ groups, extracts }: FilterPlan) => groups.length > 0 || extracts.some(({ fn }) => fn)

function listQuery(plan: FilterPlan, options: StatementOptions) {
  const { keys } = combinedSources(plan)
  return limited(sql`select * from (${combinations(plan, options)}) m`, keys.map(columnOf), options)
}

function aggregateQuery(plan: FilterPlan, options: StatementOptions) {
  const { groups, extracts } = plan
  const groupColumns = [...groups.map((_, n) => `g${n}`), ...extracts.flatMap(({ fn }, n) => (fn ? [] : [`e${n}`]))]
  const values = extracts.map(({ fn, source }, n) => {
    const value = sql.ref(`m.e${n}`)
    const once = isUniquePerRow(plan, source)
      ? sql``
      : sql`filter (where ${sql.ref(`m.f${plan.sources.indexOf(source)}`)})`
    if (fn === 'sum') return sql`coalesce(sum(${value}) ${once}, 0) as ${sql.ref(`e${n}`)}`
    return fn === 'count' ? sql`count(${value}) ${once} as ${sql.ref(`e${n}`)}` : value
  })
  const marked = sql`select * ${firstRowMarks(plan, groupColumns)} from (${combinations(plan, options)}) c`
  if (groupColumns.length === 0) return sql`select ${sql.join([...values, sql`count(*) as n`])} from (${marked}) m`
  const rest = groups.map((_, n) => sql.ref(`m.g${n}`))
  const columns = sql.join(groupColumns.map((name) => sql.ref(`m.${name}`)))
  const all = sql`select ${sql.join([...rest, ...values])} from (${marked}) m group by ${columns}`
  return limited(all, groupColumns, options)
}

/** Orders the results, counts them up to `count` and returns the first `shown`. */
function limited(query: RawBuilder<unknown>, order: readonly string[], { count, shown }: StatementOptions) {
  const by = (alias: string) => sql.join(order.map((name) => sql`${sql.ref(`${alias}.${name}`)} nulls last`))
  return sql`select r.*, count(*) over () as n from (select * from (${query}) a order by ${by('a')} limit ${sql.lit(count)}) r
    order by ${by('r')} limit ${sql.lit(shown)}`
}

/** Marks one combination per object within a group, for objects that are summed or counted. */
function firstRowMarks(plan: FilterPlan, groupColumns: readonly string[]) {
  const { keys } = combinedSources(plan)
  const sources = new Set(
    plan.extracts.filter(({ fn, source }) => fn && !isUniquePerRow(plan, source)).map((e) => e.source),
  )
  const marks = [...sources].map((source) => {
    const keyColumns = keys.flatMap((key, n) => (key.source === source ? [columnOf(key, n)] : []))
    const columns = sql.join([...groupColumns, ...keyColumns].map((name) => sql.ref(`c.${name}`)))
    return sql`, row_number() over (partition by ${columns}) = 1 as ${sql.ref(`f${plan.sources.indexOf(source)}`)}`
  })
  return sql.join(marks, sql` `)
}

/** Whether the source is the root and every combination has a different root. */
const isUniquePerRow = (plan: FilterPlan, source: Source) =>
  !source.via && combinedSources(plan).sources.every(isOnePerRoot)

const isOnePerRoot = ({ via }: Source): boolean => !via || (!via.relation.many && isOnePerRoot(via.from))

type Key = { source: Source; name: string }
const columnOf = (_: Key, n: number) => `k${n}`

/** The sources that make up a combination, with their keys: the root, and sources that are extracted or grouped by. */
function combinedSources({ sources, groups, extracts }: FilterPlan) {
  const combined = sources.filter((each) => !each.via || [...groups, ...extracts].some(({ source }) => source === each))
  const keys = combined.flatMap((source): Key[] => source.object.key.map((name) => ({ source, name })))
  return { sources: combined, keys }
}

/** A row per combination: keys as k0, k1, ..., groups as g0, g1, ... and extracts as e0, e1, ... */
function combinations(
  plan: FilterPlan,
  { today, zone, organizationId, findsNothing }: StatementOptions,
): RawBuilder<unknown> {
  const { sources, predicates, groups, extracts } = plan
  const combined = combinedSources(plan)
  const alias = (source: Source) => `t${sources.indexOf(source)}`
  const row = (source: Source) => ({ column: (name: string) => sql.ref(`${alias(source)}.${name}`), today })
  const fieldOf = ({ source, field }: FieldRef) => field.of(row(source))
  const keys = combined.keys.map(({ source, name }) => row(source).column(name))
  const columns = [
    ...keys.map((key, n) => sql`${key} as ${sql.ref(`k${n}`)}`),
    ...groups.map((each, n) => sql`${fieldOf(each)} as ${sql.ref(`g${n}`)}`),
    ...extracts.map((each, n) => sql`${fieldOf(each)} as ${sql.ref(`e${n}`)}`),
  ]
  const isRepeated = sources.some(
    (each) => each.via?.relation.through || (each.via?.relation.many && !combined.sources.includes(each)),
  )
  const distinct = isRepeated ? sql`distinct on (${sql.join(keys)})` : sql``
  const conditions = predicates.map((each) =>
    comparison({ ...each, kind: each.field.kind, value: fieldOf(each), zone }),
  )
  if (findsNothing) conditions.splice(0, conditions.length, sql`false`)
  // Row security says the same, but only a value lets the planner use what it knows about this organization (cost.ts).
  const ownRows = sql`${sql.ref('t0.organizationId')} = ${organizationId}`
  const where = sql`where ${sql.join([ownRows, ...conditions], sql` and `)}`
  return sql`select ${distinct} ${sql.join(columns)} from ${sql.join(sources.map(joinOf(alias)), sql` `)} ${where}`
}

const joinOf = (alias: (source: Source) => string) => (source: Source) => {
  const { object, via } = source
  const own = alias(source)
  const table = sql`${object.from} as ${sql.ref(own)}`
  if (!via) return table
  const { through, on } = via.relation
  const start = alias(via.from)
  if (!through) return sql`join ${table} on ${joinCondition([start, own], on)}`
  const link = `l${own}`
  return sql`join ${through.from} as ${sql.ref(link)} on ${joinCondition([start, link], on)}
    join ${table} on ${joinCondition([link, own], through.on)}`
}

const joinCondition = ([from, to]: readonly [string, string], [here, there]: readonly [string, string]) =>
  sql`${sql.ref(`${from}.organizationId`)} = ${sql.ref(`${to}.organizationId`)}
    and ${sql.ref(`${from}.${here}`)} = ${sql.ref(`${to}.${there}`)}`
