import { sql } from 'kysely'
import { conflict } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { nullable, Text, Type } from '../../../core/define/schema.ts'
import { Secret } from '../../../core/secrets/secret.ts'
import { toStored } from './access-token.ts'
import { repeatFailed } from './clearance/repeat-failed.ts'
import { endRefresh, noteValidation, openConnection } from './connection.ts'
import { ByIntegration, integrationNamed } from './integrations.ts'
import { authorityPath, newState, stateHash } from './state.ts'

export const connect = operation({
  name: 'integrations_tax_authority_connect',
  http: 'POST /api/organizations/{id}/tax-authority/{integrationId}/connect',
  does: 'Begins the sign-in of a person at the tax authority: the browser opens authorizeUrl, and comes back with an authorization.',
  scope: 'integrations:write',
  role: 'MANAGER',
  sources: ['SESSION'],
  within: 'organizations',
  signedInWithinH: 12,
  input: ByIntegration,
  output: Type.Object({ authorizeUrl: Text, state: Text }),
  outside: true,
  async run(context, { id, integrationId: named }) {
    const { integrationId, name, signsIn } = integrationNamed(named)
    if (!signsIn) throw conflict(`${name} needs no sign-in of a person.`)
    const { secrets, installation, taxAuthorities } = context
    const connection = await context.tx(({ db }) => openConnection({ db, secrets, organizationId: id }, integrationId))
    const { clientId, clientSecret } = connection?.credentials ?? {}
    if (!connection || !clientId || !clientSecret)
      throw conflict('Enter the client id and the client secret first.', 'NOT_CONNECTED')
    const state = newState({ integrationId, organizationId: id })
    const redirectUri = `${installation.url}${authorityPath}`
    const authorizeUrl = await taxAuthorities.israel.authorizeUrl(connection.environment, {
      clientId,
      state,
      redirectUri,
    })
    const person = await context.who
    return context.once(async ({ db, audit }) => {
      await db
        .updateTable('taxAuthorityConnections')
        .set({
          stateHash: stateHash(state, person),
          stateUntil: sql<string>`now() + make_interval(mins => ${stateMinutes})`,
        })
        .where('id', '=', connection.id)
        .execute()
      audit({ integrationId })
      return { authorizeUrl, state }
    })
  },
})

const visible = '^[\\x21-\\x7e]+$'

/** How long a person has to sign in at the authority. */
const stateMinutes = 10

export const authorize = operation({
  name: 'integrations_tax_authority_authorize',
  http: 'POST /api/organizations/{id}/tax-authority/{integrationId}/authorize',
  does: 'Ends the sign-in of a person at the tax authority with the code and the state that the browser came back with.',
  scope: 'integrations:write',
  role: 'MANAGER',
  sources: ['SESSION'],
  within: 'organizations',
  alsoRates: [{ bucket: 'validation', per: 'organization' }],
  input: Type.Object({
    ...ByIntegration.properties,
    state: Type.String({ maxLength: 200, pattern: visible }),
    code: Type.String({ maxLength: 4_000, pattern: visible }),
  }),
  output: Type.Object({ valid: Type.Boolean(), error: nullable(Text) }),
  outside: true,
  async run(context, { id, integrationId: named, state, code }) {
    const { integrationId } = integrationNamed(named)
    const { secrets, installation, taxAuthorities } = context
    const scope = { secrets, organizationId: id }
    const hash = stateHash(state, await context.who)
    const connection = await context.tx(async ({ db }) => {
      // The state is used once, whatever the authority says then.
      const used = await db
        .updateTable('taxAuthorityConnections')
        .set({ stateHash: null, stateUntil: null })
        .where('integrationId', '=', integrationId)
        .where('stateHash', '=', hash)
        .where('stateUntil', '>', sql<string>`now()`)
        .returning('id')
        .executeTakeFirst()
      return used && openConnection({ ...scope, db }, integrationId)
    })
    const refused = (error: string) =>
      context.once(async ({ audit }) => {
        audit({ integrationId, valid: false })
        return { valid: false, error }
      })
    if (!connection) return refused('This sign-in was used, has expired, or was begun by somebody else. Begin again.')
    const { clientId = '', clientSecret = '' } = connection.credentials
    const answer = await taxAuthorities.israel.exchange(
      { organizationId: id, environment: connection.environment },
      {
        clientId,
        clientSecret: new Secret(clientSecret),
        code: new Secret(code),
        redirectUri: `${installation.url}${authorityPath}`,
      },
    )
    if (answer.kind !== 'granted') return refused(answer.message)
    return context.once(async ({ db, enqueue, audit }) => {
      await endRefresh({ ...scope, db, id: connection.id }, toStored(answer.tokens))
      await noteValidation(db, connection.id, null)
      await repeatFailed({ db, enqueue }, integrationId)
      audit({ integrationId, valid: true })
      return { valid: true, error: null }
    })
  },
})
