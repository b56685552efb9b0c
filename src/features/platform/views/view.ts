import { Id, identity, optional, type Static, Text, Type } from '../../../core/define/schema.ts'

/** A person has at most this many views of their own in an organization, and an organization this many shared ones. */
export const viewsMax = 200

const chosen = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
    examples: ['Overdue in dollars'],
  }),
  screen: Type.String({
    pattern: '^[a-z][a-z0-9/-]{0,59}$',
    description: 'The list that it shows.',
    examples: ['documents'],
  }),
}

const open = {
  search: Type.String({
    maxLength: 4_000,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    description: 'The query of the address: search, filters, order, columns.',
    examples: ['status=OVERDUE&currency=USD'],
  }),
  shared: Type.Boolean({ description: 'Whether everybody in the organization sees it; a CONTRIBUTOR may share.' }),
  position: Type.Integer({ minimum: 0, maximum: 100_000, description: 'The order of the tabs; the lowest first.' }),
}

export const View = Type.Object({
  ...identity,
  userId: Id,
  ...chosen,
  ...open,
  savedBy: Type.Unsafe<string | null>({
    ...Text,
    type: ['string', 'null'],
    description: 'The name of whoever saved it.',
  }),
  rights: Type.Unsafe<'OWN' | 'MANAGE' | 'READ'>({
    type: 'string',
    enum: ['OWN', 'MANAGE', 'READ'],
    description: 'What the caller may do: change their own, change a shared one as a MANAGER, or only use it.',
  }),
})
export type View = Static<typeof View>

export const NewView = Type.Object({ organizationId: Type.Optional(Id), ...chosen, ...optional(open) })
export const ViewChanges = Type.Object({ id: Id, ...optional({ ...chosen, ...open }) })
