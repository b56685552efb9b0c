import { type RawBuilder, sql } from 'kysely'
import { unprepared } from '../../../core/define/query.ts'
import { comparison } from './comparison.ts'
import type { FilterPlan, Named, Source } from './plan.ts'

type Means = {
  today: string
  zone: string
  /** How many results are looked for, and how many of them are shown. */
  count: number
  shown: number
}

/**
 * The one statement of a filter. Its rows are the results: the values of the extracts as e0, e1, ..., and in n how many
 * there are; or, where there are no groups, how many combinations the values were worked out from.
 *
 * There is one combination for each root, and with each of the followed objects of which something is extracted. What is
 * followed for its predicates alone must be there, once or more often. In a sum or a count an object counts once, however
 * many combinations it is in.
 */
export function statementOf<R>(plan: FilterPlan, means: Means): RawBuilder<R> {
  const results = isWorkedOut(plan) ? grouped(plan, means) : listed(plan, means)
  return sql<R>`${unprepared} ${results}`
}

const isWorkedOut = ({ groups, extracts }: FilterPlan) => groups.length > 0 || extracts.some(({ fn }) => fn)

function listed(plan: FilterPlan, means: Means) {
  const { keys } = shownBy(plan)
  return bounded(sql`select * from (${combinations(plan, means)}) m`, keys.map(columnOf), means)
}

function grouped(plan: FilterPlan, means: Means) {
  const { groups, extracts } = plan
  const same = [...groups.map((_, n) => `g${n}`), ...extracts.flatMap(({ fn }, n) => (fn ? [] : [`e${n}`]))]
  const values = extracts.map(({ fn, source }, n) => {
    const value = sql.ref(`m.e${n}`)
    const once = countsOnce(plan, source) ? sql`` : sql`filter (where ${sql.ref(`m.f${plan.sources.indexOf(source)}`)})`
    if (fn === 'sum') return sql`coalesce(sum(${value}) ${once}, 0) as ${sql.ref(`e${n}`)}`
    return fn === 'count' ? sql`count(${value}) ${once} as ${sql.ref(`e${n}`)}` : value
  })
  const marked = sql`select * ${firsts(plan, same)} from (${combinations(plan, means)}) c`
  if (same.length === 0) return sql`select ${sql.join([...values, sql`count(*) as n`])} from (${marked}) m`
  const rest = groups.map((_, n) => sql.ref(`m.g${n}`))
  const columns = sql.join(same.map((name) => sql.ref(`m.${name}`)))
  const all = sql`select ${sql.join([...rest, ...values])} from (${marked}) m group by ${columns}`
  return bounded(all, same, means)
}

/** So many of them in order, of which so many are shown. */
function bounded(all: RawBuilder<unknown>, order: readonly string[], { count, shown }: Means) {
  const by = (alias: string) => sql.join(order.map((name) => sql`${sql.ref(`${alias}.${name}`)} nulls last`))
  return sql`select r.*, count(*) over () as n from (select * from (${all}) a order by ${by('a')} limit ${count}) r
    order by ${by('r')} limit ${shown}`
}

/** Marks one combination of a group for each object in it that is summed or counted. */
function firsts(plan: FilterPlan, same: readonly string[]) {
  const { keys } = shownBy(plan)
  const sources = new Set(
    plan.extracts.filter(({ fn, source }) => fn && !countsOnce(plan, source)).map((e) => e.source),
  )
  const marks = [...sources].map((source) => {
    const own = keys.flatMap((key, n) => (key.source === source ? [columnOf(key, n)] : []))
    const columns = sql.join([...same, ...own].map((name) => sql.ref(`c.${name}`)))
    return sql`, row_number() over (partition by ${columns}) = 1 as ${sql.ref(`f${plan.sources.indexOf(source)}`)}`
  })
  return sql.join(marks, sql` `)
}

/** Whether every combination has another root, and this is the root. */
const countsOnce = (plan: FilterPlan, source: Source) => !source.via && shownBy(plan).sources.every(isOnePerRoot)

const isOnePerRoot = ({ via }: Source): boolean => !via || (!via.relation.many && isOnePerRoot(via.from))

type Key = { source: Source; name: string }
const columnOf = (_: Key, n: number) => `k${n}`

/** What makes a combination: the root, and all of which something is extracted or grouped by. */
function shownBy({ sources, groups, extracts }: FilterPlan) {
  const shown = sources.filter((each) => !each.via || [...groups, ...extracts].some(({ source }) => source === each))
  const keys = shown.flatMap((source): Key[] => source.object.key.map((name) => ({ source, name })))
  return { sources: shown, keys }
}

/** Keys as k0, k1, ..., groups as g0, g1, ... and extracts as e0, e1, ... */
function combinations(plan: FilterPlan, { today, zone }: Means): RawBuilder<unknown> {
  const { sources, predicates, groups, extracts } = plan
  const shown = shownBy(plan)
  const alias = (source: Source) => `t${sources.indexOf(source)}`
  const row = (source: Source) => ({ column: (name: string) => sql.ref(`${alias(source)}.${name}`), today })
  const fieldOf = ({ source, field }: Named) => field.of(row(source))
  const keys = shown.keys.map(({ source, name }) => row(source).column(name))
  const columns = [
    ...keys.map((key, n) => sql`${key} as ${sql.ref(`k${n}`)}`),
    ...groups.map((each, n) => sql`${fieldOf(each)} as ${sql.ref(`g${n}`)}`),
    ...extracts.map((each, n) => sql`${fieldOf(each)} as ${sql.ref(`e${n}`)}`),
  ]
  const isRepeated = sources.some(
    (each) => each.via?.relation.through || (each.via?.relation.many && !shown.sources.includes(each)),
  )
  const distinct = isRepeated ? sql`distinct on (${sql.join(keys)})` : sql``
  const holding = predicates.map((each) => comparison({ ...each, kind: each.field.kind, value: fieldOf(each), zone }))
  const where = holding.length > 0 ? sql`where ${sql.join(holding, sql` and `)}` : sql``
  return sql`select ${distinct} ${sql.join(columns)} from ${sql.join(sources.map(joined(alias)), sql` `)} ${where}`
}

const joined = (alias: (source: Source) => string) => (source: Source) => {
  const { object, via } = source
  const own = alias(source)
  const table = sql`${object.from} as ${sql.ref(own)}`
  if (!via) return table
  const { through, on } = via.relation
  const start = alias(via.from)
  if (!through) return sql`join ${table} on ${meeting([start, own], on)}`
  const link = `l${own}`
  return sql`join ${through.from} as ${sql.ref(link)} on ${meeting([start, link], on)}
    join ${table} on ${meeting([link, own], through.on)}`
}

const meeting = ([from, to]: readonly [string, string], [here, there]: readonly [string, string]) =>
  sql`${sql.ref(`${from}.organizationId`)} = ${sql.ref(`${to}.organizationId`)}
    and ${sql.ref(`${from}.${here}`)} = ${sql.ref(`${to}.${there}`)}`
