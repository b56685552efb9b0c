import { invalid } from '../../../../core/define/failure.ts'
import { type Database, type Member, operation } from '../../../../core/define/operation.ts'
import { one, toUuid } from '../../../../core/define/query.ts'
import { defaulted, Id, Instant, optional, Text, Type } from '../../../../core/define/schema.ts'
import { markOfTrigger, mayReadStep, withoutError } from '../protected-steps.ts'
import { automationById } from '../store.ts'
import { newestEvents } from './events.ts'

export const triggerEvents = operation({
  name: 'automations_trigger_events',
  http: 'GET /api/automations/trigger-events',
  does: 'Lists past events that an automation or a type of trigger would have started with. The newest come first; automations_try takes one. It looks at the newest 5000 events of the organization.',
  scope: 'automations:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  rate: 'heavyReads',
  input: Type.Object({
    organizationId: Id,
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 50 }), 10),
    ...optional({
      automationId: Type.String({ description: 'A saved automation: events of its triggers.' }),
      type: Type.String({ maxLength: 200, examples: ['invoice.paid'], description: 'Events of this type.' }),
    }),
  }),
  output: Type.Object({
    events: Type.Array(
      Type.Object({ id: Id, type: Text, createdAt: Instant, payload: Type.Record(Type.String(), Type.Unknown()) }),
    ),
  }),
  async run({ db, who }, { automationId, type, limit }) {
    const reader = await who
    const types = type === undefined ? await triggersOf(db, automationId) : [type]
    const events = await newestEvents(db, readable(types, reader), limit).execute()
    return { events: events.map((event) => ({ ...event, payload: withoutError(event.type, event.payload, reader) })) }
  },
})

async function triggersOf(db: Database, id: string | undefined): Promise<string[]> {
  if (id === undefined) throw invalid('type', 'Give the type of an event, or an automation.')
  const { blocks } = await one(automationById(db, toUuid(id)), 'automation')
  return blocks.flatMap(({ kind, ref }) => (kind === 'TRIGGER' && ref ? [ref] : []))
}

/** Events with data that the caller may not read are left out. */
const readable = (types: readonly string[], reader: Member) =>
  types.filter((type) => mayReadStep(markOfTrigger(type), reader))
