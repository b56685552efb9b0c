import { roles } from '../../../core/define/access.ts'
import { Email, Id, Instant, nullable, OneOf, type Static, Text, Type } from '../../../core/define/schema.ts'
import { type Language, languages } from '../../../core/values/language.ts'
import { CountryFacts } from '../../../countries/facts.ts'
import { Preferences } from '../preferences/preferences.ts'

export const password = Type.String({ minLength: 8, maxLength: 500 })

export const SignUp = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }), email: Email, password })
export const SignIn = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  password: Type.String({ minLength: 1, maxLength: 500 }),
  code: Type.Optional(Text),
  remember: Type.Optional(Type.Boolean({ description: 'Stay signed in for 30 days instead of 7.' })),
})

/** An organization as the app shows it around everything else. */
const OwnOrganization = Type.Object({
  id: Id,
  name: Text,
  country: Text,
  currency: Text,
  role: OneOf(...roles),
  timezone: Text,
  language: Type.Unsafe<Language>({ type: 'string', enum: languages, description: 'Of mail and documents.' }),
  today: Type.String({ description: 'The calendar day in the time zone of the organization.' }),
  logoUrl: nullable(Type.String({ description: 'The logo; `&size=64` makes it fit into a square of so many pixels.' })),
  tax: Type.Object({
    name: Type.String({
      description: 'What the tax on sales is called in the language of the person: VAT, GST, מע״מ.',
    }),
    rate: nullable(Type.Number({ description: 'The usual percentage; null if there is no usual one.' })),
    registered: Type.Boolean({ description: 'Whether the organization is registered for the tax.' }),
  }),
  unreadCount: Type.Integer({ minimum: 0, description: 'Unread notifications about this organization.' }),
})

/** Who is signed in, and where they belong. */
export const SignedIn = Type.Object({
  user: Type.Object({
    id: Id,
    name: Text,
    email: Text,
    language: OneOf(...languages),
    emailVerified: Type.Boolean(),
    preferences: Preferences,
    unreadCount: Type.Integer({ minimum: 0, description: 'All unread notifications.' }),
  }),
  organizations: Type.Array(OwnOrganization),
  countries: Type.Array(CountryFacts, { description: 'The countries that organizations may be in.' }),
})
export type SignedIn = Static<typeof SignedIn>

/** The answer where an account begins with a letter; the same for an address that has an account. */
export const Mailed = Type.Object({
  mailed: Type.Literal(true, { description: 'The letter to the address says how to go on.' }),
})

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
