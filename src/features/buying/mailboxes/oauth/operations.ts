import { operation } from '../../../../core/define/operation.ts'
import { defaulted, Id, NonEmpty, OneOf, Type } from '../../../../core/define/schema.ts'
import { beginConnect, endConnect } from './connect.ts'

const Name = Type.String({ ...NonEmpty, maxLength: 200, description: 'The name of the connection.' })

const Begun = Type.Object({
  authorizeUrl: Type.String({
    format: 'uri',
    description: 'The address that the browser opens to sign in and allow access.',
  }),
  state: Type.String({ description: 'The signed anti-forgery token that comes back with the callback.' }),
})

/** Only a person in front of a browser can sign in at the provider. */
const bySession = {
  scope: 'integrations:write',
  sources: ['SESSION'],
  within: 'organizationId',
} as const

export const gmail = operation({
  name: 'integrations_gmail',
  http: 'POST /api/expenses/email-connect/gmail',
  does: 'Begins to connect a Gmail mailbox: the browser opens the address, the person allows access, and the connection exists when the browser comes back. The address is good for ten minutes and for this session.',
  ...bySession,
  outside: true,
  input: Type.Object({ organizationId: Id, name: defaulted(Name, 'Gmail') }),
  output: Begun,
  secret: true,
  run: (context, { name }) => beginConnect(context, 'gmail', name.trim()),
})

export const outlook = operation({
  name: 'integrations_outlook',
  http: 'POST /api/expenses/email-connect/outlook',
  does: 'Begins to connect an Outlook mailbox: the browser opens the address, the person allows access, and the connection exists when the browser comes back. The address is good for ten minutes and for this session.',
  ...bySession,
  outside: true,
  input: Type.Object({ organizationId: Id, name: defaulted(Name, 'Outlook') }),
  output: Begun,
  secret: true,
  run: (context, { name }) => beginConnect(context, 'outlook', name.trim()),
})

const Answered = Type.String({ maxLength: 4_000 })

export const callback = operation({
  name: 'integrations_email_connected',
  surface: 'redirect',
  http: 'POST /api/expenses/email-connect/{provider}/callback',
  does: 'Connects the mailbox that a person has allowed access to, when the provider sends their browser back.',
  ...bySession,
  outside: true,
  input: Type.Object({
    organizationId: Id,
    provider: OneOf('gmail', 'outlook'),
    state: Answered,
    code: Type.Optional(Answered),
    iss: Type.Optional(Answered),
    error: Type.Optional(Answered),
  }),
  output: Type.Object({
    id: Id,
    provider: OneOf('GMAIL', 'OUTLOOK'),
    name: Type.String(),
    username: Type.String(),
  }),
  run: (context, { provider, organizationId: _, ...answer }) => endConnect(context, provider, answer),
})
