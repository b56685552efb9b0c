import { plain } from '../../../core/contract/json-schema.ts'
import { toolList } from '../../../core/contract/tool-list.ts'
import { operation } from '../../../core/define/operation.ts'
import { nullable, OneOf, type Static, Type } from '../../../core/define/schema.ts'
import type { Catalog } from '../../../core/define/services.ts'
import { searchEntries } from '../../../core/search/search.ts'
import { automationTerms, searchTerms } from '../../../core/search/search-terms.ts'
import { firstSentence } from '../../../core/values/first-sentence.ts'
import { memoize } from '../../../core/values/memoize.ts'
import { engineActions } from './actions/engine-actions.ts'
import { filterCatalog } from './filters/objects.ts'
import { Template } from './template.ts'
import { templatesFor } from './template-list.ts'

const JsonSchema = nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema.' }))

const Found = Type.Array(Type.Object({ name: Type.String(), description: Type.String() }))

const AutomationCatalog = Type.Object({
  triggers: Type.Array(
    Type.Object({ type: Type.String(), label: Type.String(), group: Type.String(), payloadSchema: JsonSchema }),
  ),
  actions: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      feature: Type.String(),
      verb: Type.String(),
      kind: OneOf('system', 'engine'),
      inputSchema: JsonSchema,
      outputSchema: JsonSchema,
    }),
  ),
  filterCatalog: Type.Record(
    Type.String(),
    Type.Object({
      fields: Type.Array(Type.Object({ name: Type.String(), type: OneOf('string', 'number', 'boolean', 'date') })),
      morphisms: Type.Record(Type.String(), Type.String()),
    }),
  ),
  found: Type.Optional(
    Type.Object(
      { triggers: Found, actions: Found, filters: Found },
      { description: 'Only with kind or query: what there is, in a line each. Read its schema with names.' },
    ),
  ),
  unknown: Type.Optional(
    Type.Array(Type.String(), { description: 'Only with names: those that are not in the catalog.' }),
  ),
})
type AutomationCatalog = Static<typeof AutomationCatalog>

const kinds = ['triggers', 'actions', 'filters'] as const
type Kind = (typeof kinds)[number]

const Selection = Type.Object({
  kind: Type.Optional(OneOf(...kinds)),
  query: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'A few words: found lists the best 10 of each kind.',
      examples: ['remind'],
    }),
  ),
  names: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 50,
      description: 'Events, actions and filter objects to read with their schemas.',
      examples: [['invoice.overdue', 'invoices_send', 'Document']],
    }),
  ),
})

export const catalog = operation({
  name: 'automations_catalog',
  http: 'GET /api/automations/actions',
  does: 'Tells what automations are made of: give kind or query to list events, actions and filter objects in a line each (found), or names to read their schemas; without any of them it answers everything, some 2 MB. Read it before creating or changing an automation.',
  scope: 'automations:read',
  within: 'caller',
  input: Selection,
  output: AutomationCatalog,
  run: async ({ catalog }, input) => selectFrom(catalog, input),
})

export const templates = operation({
  name: 'automations_templates',
  http: 'GET /api/automations/templates',
  does: 'Lists automations to begin with: graphs that can be created as they are, once their parameters are filled in.',
  scope: 'automations:read',
  within: 'caller',
  input: Type.Object({}),
  output: Type.Object({ templates: Type.Array(Template) }),
  run: async ({ catalog }) => ({ templates: templatesFor(catalog) }),
})

/** Built once: it is large, and the same for every caller. */
const buildCatalog = memoize(({ operations, events }: Catalog): Static<typeof AutomationCatalog> => {
  const tools = toolList(operations, new Date(0)).tools
  return {
    triggers: events.map(({ type, label, payload }) => ({
      type,
      label,
      group: groupOf(type),
      payloadSchema: plain(payload),
    })),
    actions: [
      ...tools.map(({ name, description, feature, verb, inputSchema, outputSchema }) => ({
        name,
        description,
        feature,
        verb,
        kind: 'system' as const,
        inputSchema,
        outputSchema,
      })),
      ...engineActions.map(({ name, description, feature, verb, input, output }) => ({
        name,
        description,
        feature,
        verb,
        kind: 'engine' as const,
        inputSchema: plain(input),
        outputSchema: plain(output),
      })),
    ],
    filterCatalog,
  }
})

/** The whole catalog unless something is asked for: names with their schemas, or what fits a kind and a query in a line each. */
function selectFrom(catalog: Catalog, { kind, query, names }: Static<typeof Selection>): AutomationCatalog {
  const whole = buildCatalog(catalog)
  if (kind === undefined && !query && names === undefined) return whole
  const named = namedIn(whole, names ?? [])
  return kind === undefined && !query ? named : { ...named, found: findIn(catalog, kind, query) }
}

/** The events, actions and objects with these names; an action is also known with dots: `invoices.send`. */
function namedIn(whole: AutomationCatalog, names: readonly string[]): AutomationCatalog {
  const actions = new Set(names.flatMap((name) => [name, name.replaceAll('.', '_')]))
  const named = {
    triggers: whole.triggers.filter(({ type }) => names.includes(type)),
    actions: whole.actions.filter(({ name }) => actions.has(name)),
    filterCatalog: Object.fromEntries(Object.entries(whole.filterCatalog).filter(([name]) => names.includes(name))),
  }
  const known = [
    ...named.triggers.map(({ type }) => type),
    ...named.actions.map(({ name }) => name),
    ...Object.keys(named.filterCatalog),
  ]
  const unknown = names.filter((name) => !known.includes(name) && !known.includes(name.replaceAll('.', '_')))
  return { ...named, unknown: [...new Set(unknown)] }
}

const bestMax = 10

function findIn(catalog: Catalog, kind: Kind | undefined, query: string | undefined) {
  const lines = linesOf(catalog)
  const of = (each: Kind) => {
    if (kind !== undefined && kind !== each) return []
    const fitting = query ? searchEntries(lines[each], query).slice(0, bestMax) : lines[each]
    return fitting.map(({ name, description }) => ({ name, description }))
  }
  return { triggers: of('triggers'), actions: of('actions'), filters: of('filters') }
}

/** What is found, in a line each, with the texts that it is found by; actions that an automation may call. Built once, like the catalog. */
const linesOf = memoize((catalog: Catalog) => {
  const { triggers, actions, filterCatalog } = buildCatalog(catalog)
  const others = new Set(
    catalog.operations.filter(({ sources }) => !sources.includes('AUTOMATION')).map(({ name }) => name),
  )
  const callable = actions.filter(({ name }) => !others.has(name))
  return {
    triggers: triggers.map(({ type, label, group }) => line(type, label, group)),
    actions: callable.map(({ name, description, feature }) =>
      line(name, firstSentence(description), `${feature} ${description}`),
    ),
    filters: Object.entries(filterCatalog).map(([name, { fields, morphisms }]) => {
      const relations = Object.keys(morphisms)
      const described = `Fields: ${fields.map((field) => field.name).join(', ')}.${relations.length > 0 ? ` Relations: ${relations.join(', ')}.` : ''}`
      return line(name, described, '')
    }),
  }
})

const line = (name: string, description: string, more: string) => ({
  name,
  description,
  texts: [
    [name, 4],
    [searchTerms[name] ?? automationTerms[name] ?? '', 3],
    [description, 2],
    [more, 1],
  ] as const,
})

const groups: Record<string, string> = {
  invoice: 'Sales', receipt: 'Sales', payment: 'Payments', expense: 'Expenses', ingestion: 'Expenses',
  customer: 'Customers', order: 'Orders and stock', stock: 'Orders and stock', payslip: 'Payroll',
  automation: 'Automations', schedule: 'Schedule',
} // biome-ignore format: a table

/** The group in which an editor lists an event. */
function groupOf(type: string): string {
  const [area = ''] = type.split('.')
  return groups[area] ?? area
}
