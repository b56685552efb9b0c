import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Client, Provider } from 'oidc-provider'
import { appScopes } from '../../core/define/access.ts'
import { conflict, Failure, forbidden, invalid, notFound } from '../../core/define/failure.ts'
import { Id, type Static, Type } from '../../core/define/schema.ts'
import { check } from '../../core/define/validate.ts'
import type { Language } from '../../core/values/language.ts'
import { connect } from '../../features/company/connected-apps/connect.ts'
import { sessionOf } from '../../features/company/people/session.ts'
import { personWithOrganizations } from '../../features/company/people/signed-in.ts'
import { sessionCookie } from '../auth/credentials.ts'
import { requireOwnPage } from '../guard.ts'
import { linkTo } from '../pages/form-page.ts'
import { languageOf } from '../pages/language.ts'
import type { Assets } from '../pages/page.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { consentPage, expiredPage } from './consent-page.ts'
import { audienceOf, paths } from './metadata.ts'

type ConsentDependencies = Pick<ServerDependencies, 'config' | 'system'> & {
  assets: Assets
  load: () => Promise<Provider>
}
type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
type ConsentRoute = { Params: { uid: string }; Querystring: { lang?: unknown } }

/** The page on which a signed-in person approves or denies the request of an app. */
export function mountConsent(app: FastifyInstance, dependencies: ConsentDependencies) {
  const open = { config: { open: true } } as const
  const { config, system } = dependencies

  const findSession = (request: FastifyRequest) => system.use((db) => sessionOf(db, sessionCookie(request, config)))

  app.get<ConsentRoute>(`${paths.consent}/:uid`, open, async (request, reply) => {
    const context = {
      assets: dependencies.assets,
      lang: languageOf(request.query.lang, request.headers['accept-language']),
    }
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8')
    const appRequest = await findAppRequest(dependencies, request, reply)
    if (!appRequest) return reply.code(400).send(expiredPage(context))
    const session = await findSession(request).catch(undefinedIfSignedOut)
    if (!session?.isRecent) return reply.code(303).header('location', signInPath(request, context.lang)).send()
    Object.assign(request.trace, { userId: session.userId, sessionId: session.id })
    const signedIn = await system.use((db) => personWithOrganizations(db, session.userId))
    return reply.send(
      consentPage(context, { ...toConsentRequest(appRequest), signedIn, signIn: signInPath(request, context.lang) }),
    )
  })

  app.post<ConsentRoute>(`${paths.consent}/:uid`, open, async (request, reply) => {
    requireOwnPage(request, config.url)
    if (request.bodyProblem) throw request.bodyProblem
    const decision = request.body as Static<typeof Decision>
    const { id: sessionId, userId, isRecent } = await findSession(request)
    Object.assign(request.trace, { userId, sessionId })
    check(Decision, decision)
    if (decision.approve && !isRecent)
      throw forbidden('You signed in too long ago for this. Sign in again.', 'SIGN_IN_AGAIN')
    const appRequest = await findAppRequest(dependencies, request, reply)
    if (!appRequest) throw notFound('app request')
    if (appRequest.interaction.result) throw conflict('This request was already answered. Start again from the app.')
    const result = decision.approve
      ? await approve(dependencies, appRequest, {
          userId,
          sessionId,
          requestId: request.id,
          organizationIds: decision.organizationIds,
        })
      : { error: 'access_denied', error_description: 'the person denied access' }
    const provider = await dependencies.load()
    const next = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false })
    return reply.header('cache-control', 'no-store').send({ next: new URL(next).pathname })
  })
}

const Decision = Type.Object({
  approve: Type.Boolean(),
  organizationIds: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
})

/** The request that this browser was sent here to answer. */
type AppRequest = { interaction: Interaction; client: Client }

/** Finds the request by its signed cookie, so that a request started in one browser cannot be answered in another. */
async function findAppRequest({ load }: ConsentDependencies, { raw, params }: FastifyRequest, reply: FastifyReply) {
  const provider = await load()
  const interaction = await provider.interactionDetails(raw, reply.raw).catch(() => undefined)
  if (!interaction || interaction.uid !== (params as ConsentRoute['Params']).uid) return undefined
  const client = await provider.Client.find(String(interaction.params.client_id)).catch(() => undefined)
  return client && { interaction, client }
}

const requestedScopes = ({ params }: Interaction) => {
  const appRequest = String(params.scope ?? '').split(' ')
  return appScopes.filter((scope) => appRequest.includes(scope))
}

function toConsentRequest({ interaction, client }: AppRequest) {
  const { protocol, host } = new URL(String(interaction.params.redirect_uri))
  return {
    clientName: client.clientName ?? '',
    clientHost: /^https?:/.test(client.clientId) ? new URL(client.clientId).host : undefined,
    redirectHost: /^https?:$/.test(protocol) ? host : protocol,
    scopes: requestedScopes(interaction),
    staysConnected: client.grantTypeAllowed('refresh_token'),
  }
}

type Approver = { userId: string; sessionId: string; requestId: string; organizationIds: string[] | undefined }

async function approve(
  { system, config }: ConsentDependencies,
  { interaction, client }: AppRequest,
  approver: Approver,
) {
  const resources = [interaction.params.resource ?? config.url].flat().map(String)
  if (!resources.every((resource) => audienceOf(config.url, resource)))
    throw invalid('resource', 'The app requests access to another server.')
  const id = await connect(system, {
    ...approver,
    organizationIds: approver.organizationIds ?? [],
    clientId: client.clientId,
    clientName: client.clientName ?? '',
    clientUri: client.clientUri ?? null,
    scopes: requestedScopes(interaction),
    resources,
  })
  return { login: { accountId: approver.userId }, consent: { grantId: id } }
}

/** The sign-in page, which leads back here in the chosen language. The path is always one of this server (WEB-7). */
function signInPath({ url, query }: FastifyRequest<ConsentRoute>, lang: Language) {
  const context = { lang, keepsLang: query.lang === lang }
  return linkTo(context, '/sign-in', { next: linkTo(context, url.split('?', 1)[0] ?? '/') })
}

function undefinedIfSignedOut(error: unknown) {
  if (error instanceof Failure && error.status === 401) return undefined
  throw error
}
