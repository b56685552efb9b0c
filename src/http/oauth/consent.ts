import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Client, Provider } from 'oidc-provider'
import { appScopes } from '../../core/define/access.ts'
import { conflict, Failure, forbidden, invalid, notFound } from '../../core/define/failure.ts'
import { Id, type Static, Type } from '../../core/define/schema.ts'
import { check } from '../../core/define/validate.ts'
import type { Language } from '../../core/values/language.ts'
import { connect } from '../../features/connected-apps/connect.ts'
import { sessionOf, signedInAs } from '../../features/people/session.ts'
import { sessionCookie } from '../auth/credentials.ts'
import { requireOwnPage } from '../guard.ts'
import { linkTo } from '../pages/frame.ts'
import { languageOf } from '../pages/landing/words.ts'
import type { Assets } from '../pages/page.ts'
import type { ServerDependencies } from '../server.ts'
import { consentPage, expiredPage } from './consent-page.ts'
import { audienceOf, paths } from './metadata.ts'

type Means = Pick<ServerDependencies, 'config' | 'system'> & { assets: Assets; load: () => Promise<Provider> }
type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
type Asking = { Params: { uid: string }; Querystring: { lang?: unknown } }

/** The page on which a person, signed in with their own session, lets an app in or not. */
export function mountConsent(app: FastifyInstance, means: Means) {
  const open = { config: { open: true } } as const
  const { config, system } = means

  const session = (request: FastifyRequest) => system.use((db) => sessionOf(db, sessionCookie(request, config)))

  app.get<Asking>(`${paths.consent}/:uid`, open, async (request, reply) => {
    const look = { assets: means.assets, lang: languageOf(request.query.lang, request.headers['accept-language']) }
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8')
    const asked = await findAsked(means, request, reply)
    if (!asked) return reply.code(400).send(expiredPage(look))
    const signedIn = await session(request).catch(orNobody)
    if (!signedIn?.isRecent) return reply.code(303).header('location', signInPage(request, look.lang)).send()
    Object.assign(request.trace, { userId: signedIn.userId, sessionId: signedIn.id })
    const who = await system.use((db) => signedInAs(db, signedIn.userId))
    return reply.send(consentPage(look, { ...shown(asked), signedIn: who, signIn: signInPage(request, look.lang) }))
  })

  app.post<Asking>(`${paths.consent}/:uid`, open, async (request, reply) => {
    requireOwnPage(request, config.url)
    if (request.bodyProblem) throw request.bodyProblem
    const given = request.body as Static<typeof Decision>
    const { id: sessionId, userId, isRecent } = await session(request)
    Object.assign(request.trace, { userId, sessionId })
    check(Decision, given)
    if (given.approve && !isRecent) throw forbidden('Sign in again to do this: it has been a while.', 'SIGN_IN_AGAIN')
    const asked = await findAsked(means, request, reply)
    if (!asked) throw notFound('request of an app')
    if (asked.interaction.result) throw conflict('This request was answered already. Start again from the app.')
    const result = given.approve
      ? await approved(means, asked, {
          userId,
          sessionId,
          requestId: request.id,
          organizationIds: given.organizationIds,
        })
      : { error: 'access_denied', error_description: 'the person did not let the app in' }
    const provider = await means.load()
    const next = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false })
    return reply.header('cache-control', 'no-store').send({ next: new URL(next).pathname })
  })
}

const Decision = Type.Object({
  approve: Type.Boolean(),
  organizationIds: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
})

/** What this browser was sent to answer: the signed cookie of the request must be there, so nobody answers for another. */
type FoundAsked = { interaction: Interaction; client: Client }

async function findAsked({ load }: Means, { raw, params }: FastifyRequest, reply: FastifyReply) {
  const provider = await load()
  const interaction = await provider.interactionDetails(raw, reply.raw).catch(() => undefined)
  if (!interaction || interaction.uid !== (params as Asking['Params']).uid) return undefined
  const client = await provider.Client.find(String(interaction.params.client_id)).catch(() => undefined)
  return client && { interaction, client }
}

const scopesOf = ({ params }: Interaction) => {
  const asked = String(params.scope ?? '').split(' ')
  return appScopes.filter((scope) => asked.includes(scope))
}

function shown({ interaction, client }: FoundAsked) {
  const { protocol, host } = new URL(String(interaction.params.redirect_uri))
  return {
    clientName: client.clientName ?? '',
    clientHost: /^https?:/.test(client.clientId) ? new URL(client.clientId).host : undefined,
    redirectHost: /^https?:$/.test(protocol) ? host : protocol,
    scopes: scopesOf(interaction),
    staysConnected: client.grantTypeAllowed('refresh_token'),
  }
}

type Approver = { userId: string; sessionId: string; requestId: string; organizationIds: string[] | undefined }

async function approved({ system, config }: Means, { interaction, client }: FoundAsked, approver: Approver) {
  const resources = [interaction.params.resource ?? config.url].flat().map(String)
  if (!resources.every((resource) => audienceOf(config.url, resource)))
    throw invalid('resource', 'The app asks for access elsewhere.')
  const id = await connect(system, {
    ...approver,
    organizationIds: approver.organizationIds ?? [],
    clientId: client.clientId,
    clientName: client.clientName ?? '',
    clientUri: client.clientUri ?? null,
    scopes: scopesOf(interaction),
    resources,
  })
  return { login: { accountId: approver.userId }, consent: { grantId: id } }
}

/** Back here after signing in, in the language that was chosen by hand; only ever a path of our own (WEB-7). */
function signInPage({ url, query }: FastifyRequest<Asking>, lang: Language) {
  const look = { lang, lingers: query.lang === lang }
  return linkTo(look, '/sign-in', { next: linkTo(look, url.split('?', 1)[0] ?? '/') })
}

function orNobody(error: unknown) {
  if (error instanceof Failure && error.status === 401) return undefined
  throw error
}
