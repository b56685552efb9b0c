import {
  Id,
  Instant,
  notBlank,
  nullable,
  OneOf,
  optional,
  type Static,
  Text,
  Type,
} from '../../../core/define/schema.ts'
import { languages } from '../../../core/values/language.ts'

const chosen = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: notBlank }),
  locale: OneOf(...languages),
  digest: Type.Unsafe<'NONE' | 'DAILY' | 'WEEKLY'>({
    type: 'string',
    enum: ['NONE', 'DAILY', 'WEEKLY'],
    description: 'How often unread notifications come by e-mail.',
  }),
}

/** A person as they see themselves. */
export const Me = Type.Object({
  id: Id,
  ...chosen,
  email: Text,
  emailVerifiedAt: nullable(Instant),
  createdAt: Instant,
})
export type Me = Static<typeof Me>

export const MyChanges = Type.Object(optional(chosen))

/** A person as their colleagues see them. */
export const Colleague = Type.Object({ id: Id, name: Text, email: Text })
export type Colleague = Static<typeof Colleague>
