import { Id, Instant, nullable, OneOf, type Static, Type } from '../../../core/define/schema.ts'
import { resourceNames } from './resources.ts'

/** Something that changed in an organization. */
export const Change = Type.Object({
  resource: OneOf(...resourceNames),
  feature: Type.String({ description: 'The feature of the scope that reads the resource.' }),
  id: nullable(Type.String({ description: 'Of what changed; null if any of the resource may have.' })),
  change: OneOf('created', 'updated', 'deleted'),
  operation: nullable(Type.String({ description: 'The tool that changed it; null if the product did by itself.' })),
  userId: nullable(Id),
  requestId: nullable(Type.String({ description: 'The X-Request-Id of the call, if it was one of the reader.' })),
  at: Instant,
})
export type Change = Static<typeof Change>

/** What a stream of changes sends. */
export const ChangeEvent = Type.Object({
  id: nullable(Type.String({ description: 'Resume with it as lastEventId. Only the last event of several has one.' })),
  event: OneOf('ready', 'change', 'reset'),
  data: Type.Union([Change, Type.Object({ at: Instant })], {
    description: 'Of ready and reset: when. After a reset anything may have changed: read everything again.',
  }),
})
export type ChangeEvent = Static<typeof ChangeEvent>
