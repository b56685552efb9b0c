import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../../core/define/failure.ts'
import { authorityPath } from '../../../features/books/tax-authorities/state.ts'
import { accountOf } from '../../../features/company/people/account.ts'
import { sessionCookie } from '../../auth/credentials.ts'
import { requireSession } from '../../auth/session.ts'
import type { ServerDependencies } from '../../server-dependencies.ts'
import { linkTo, type PageContext } from '../form-page.ts'
import { languageOf } from '../language.ts'
import type { Assets } from '../page.ts'
import { published, send } from '../publish.ts'
import { accountPage } from './account-page.ts'
import { authorityPage } from './authority-page.ts'
import { invitationPage } from './invitation-page.ts'
import { safeNextPath } from './next-path.ts'
import { choosePasswordPage, chooseStep, requestResetPage } from './reset-page.ts'
import { signInPage } from './sign-in-page.ts'
import { signUpPage } from './sign-up-page.ts'
import { verifyEmailPage } from './verify-email-page.ts'

type PageRoute = {
  Querystring: { lang?: unknown; next?: unknown; token?: unknown; step?: unknown; code?: unknown; state?: unknown }
}

const open = { config: { open: true }, exposeHeadRoute: true } as const

/** The sign-in and account pages. They only display; their forms send JSON to the API. The web app is behind them. */
export function mountAccountPages(app: FastifyInstance, dependencies: ServerDependencies, assets: Assets) {
  const { config, system } = dependencies

  const contextOf = (request: FastifyRequest<PageRoute>): PageContext => {
    const requested = request.query.lang
    const lang = languageOf(requested, request.headers['accept-language'])
    return { assets, lang, keepsLang: requested === lang }
  }

  /** The account of the signed-in person, or undefined. */
  async function signedInUser(request: FastifyRequest) {
    if (!sessionCookie(request, config)) return undefined
    try {
      const { userId } = await requireSession(dependencies, request)
      return await system.use((db) => accountOf(db, userId))
    } catch (error) {
      if (error instanceof Failure && error.status === 401) return undefined
      throw error
    }
  }

  app.get<PageRoute>('/sign-in', open, (request, reply) =>
    sendPage(request, reply, signInPage(contextOf(request), safeNextPath(request.query.next), config.signUp)),
  )

  app.get<PageRoute>('/sign-up', open, (request, reply) =>
    sendPage(request, reply, signUpPage(contextOf(request), safeNextPath(request.query.next), config)),
  )

  app.get<PageRoute>('/reset', open, (request, reply) => {
    const { token, step } = request.query
    const page = token !== undefined || step === chooseStep ? choosePasswordPage : requestResetPage
    return sendPage(request, reply, page(contextOf(request)), noStore)
  })

  app.get<PageRoute>('/verify-email', open, async (request, reply) =>
    sendPage(request, reply, verifyEmailPage(contextOf(request), await signedInUser(request)), noStore),
  )

  app.get<PageRoute>('/invitations/accept', open, async (request, reply) =>
    sendPage(request, reply, invitationPage(contextOf(request), await signedInUser(request)), noStore),
  )

  app.get<PageRoute>(authorityPath, open, async (request, reply) => {
    const context = contextOf(request)
    const user = await signedInUser(request)
    if (user) return sendPage(request, reply, authorityPage(context, request.query), noStore)
    const signIn = linkTo(context, '/sign-in', { next: request.url })
    return reply.header('cache-control', noStore).redirect(signIn, 302)
  })

  app.get<PageRoute>('/account', open, async (request, reply) => {
    const context = contextOf(request)
    const user = await signedInUser(request)
    if (!user) {
      const signIn = linkTo(context, '/sign-in', { next: linkTo(context, '/account') })
      return reply.header('cache-control', noStore).redirect(signIn, 302)
    }
    const hasApps = app.hasRoute({ method: 'GET', url: '/api/users/me/connected-apps' })
    return sendPage(request, reply, accountPage(context, { user, hasApps }), noStore)
  })
}

/** For pages that are opened with a token or show personal data: they must not be cached. */
const noStore = 'no-store'

function sendPage(request: FastifyRequest<PageRoute>, reply: FastifyReply, text: string, cacheControl?: string) {
  const lang = languageOf(request.query.lang, request.headers['accept-language'])
  reply.header('content-language', lang).header('vary', 'accept-language')
  if (cacheControl === noStore) reply.header('referrer-policy', 'no-referrer') // the URL may carry a token; our own assets must not get it either
  return send(request, reply, published('html', text), cacheControl)
}
