import { plain } from '../../core/contract/json-schema.ts'
import { toolList } from '../../core/contract/tool-list.ts'
import { operation } from '../../core/define/operation.ts'
import { nullable, OneOf, type Static, Type } from '../../core/define/schema.ts'
import type { Catalog } from '../../core/define/services.ts'
import { memoize } from '../../core/values/memoize.ts'
import { engineActions } from './actions/engine-actions.ts'
import { filterCatalog } from './filters/objects.ts'
import { Template } from './template.ts'
import { templatesFor } from './template-list.ts'

const JsonSchema = nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema.' }))

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
})

export const catalog = operation({
  name: 'automations_catalog',
  http: 'GET /api/automations/actions',
  does: 'Tells what automations can be made of: the events they start on, the actions they take and the objects they filter. Read it before creating or changing one.',
  scope: 'automations:read',
  within: 'caller',
  input: Type.Object({}),
  output: AutomationCatalog,
  run: async ({ catalog }) => buildCatalog(catalog),
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
    triggers: events.map(({ type, label, payload }) => ({ type, label, group: groupOf(type), payloadSchema: plain(payload) })),
    actions: [
      ...tools.map(({ name, description, feature, verb, inputSchema, outputSchema }) => ({
        name, description, feature, verb, kind: 'system' as const, inputSchema, outputSchema,
      })),
      ...engineActions.map(({ name, description, feature, verb, input, output }) => ({
        name, description, feature, verb, kind: 'engine' as const, inputSchema: plain(input), outputSchema: plain(output),
      })),
    ],
    filterCatalog,
  } // biome-ignore format: a list of words
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
