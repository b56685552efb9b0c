import { roles } from '../../core/define/access.ts'
import { Email, Id, Instant, nullable, OneOf, type Static, Text, Type } from '../../core/define/schema.ts'

export const password = Type.String({ minLength: 8, maxLength: 500 })

export const SignUp = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }), email: Email, password })
export const SignIn = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  password: Type.String({ minLength: 1, maxLength: 500 }),
  code: Type.Optional(Text),
  remember: Type.Optional(Type.Boolean({ description: 'Stay signed in for 30 days instead of 7.' })),
})

/** Who is signed in, and where they belong. */
export const SignedIn = Type.Object({
  user: Type.Object({ id: Id, name: Text, email: Text }),
  organizations: Type.Array(Type.Object({ id: Id, name: Text, country: Text, currency: Text, role: OneOf(...roles) })),
})
export type SignedIn = Static<typeof SignedIn>

export const SessionList = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Id,
      current: Type.Boolean(),
      signedInAt: Instant,
      lastSeenAt: Instant,
      endsAt: Instant,
      userAgent: nullable(Text),
      address: nullable(Text),
    }),
  ),
})
