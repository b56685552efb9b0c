import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../../core/define/failure.ts'
import { accountOf } from '../../../features/people/account.ts'
import { sessionCookie } from '../../auth/credentials.ts'
import { requireSession } from '../../auth/session.ts'
import type { ServerDependencies } from '../../server.ts'
import { linkTo, type PageLook } from '../frame.ts'
import { languageOf } from '../landing/words.ts'
import type { Assets } from '../page.ts'
import { published, send } from '../publish.ts'
import { accountPage } from './account.ts'
import { invitationPage } from './invitation.ts'
import { nextOf } from './next.ts'
import { askForReset, choosePassword, choosing } from './reset.ts'
import { signInPage } from './sign-in.ts'
import { signUpPage } from './sign-up.ts'
import { verifyEmailPage } from './verify-email.ts'

type Asked = { Querystring: { lang?: unknown; next?: unknown; token?: unknown; step?: unknown } }

const open = { config: { open: true }, exposeHeadRoute: true } as const

/** Pages for people until there is a web app. They only show: whatever changes something is sent to the API as JSON. */
export function mountAccountPages(app: FastifyInstance, ground: ServerDependencies, assets: Assets) {
  const { config, system } = ground

  const lookOf = (request: FastifyRequest<Asked>): PageLook => {
    const asked = request.query.lang
    const lang = languageOf(asked, request.headers['accept-language'])
    return { assets, lang, lingers: asked === lang }
  }

  /** Whoever is signed in; nobody is no failure here. */
  async function whoIs(request: FastifyRequest) {
    if (!sessionCookie(request, config)) return undefined
    try {
      const { userId } = await requireSession(ground, request)
      return await system.use((db) => accountOf(db, userId))
    } catch (error) {
      if (error instanceof Failure && error.status === 401) return undefined
      throw error
    }
  }

  app.get<Asked>('/sign-in', open, (request, reply) =>
    sendPage(request, reply, signInPage(lookOf(request), nextOf(request.query.next))),
  )

  app.get<Asked>('/sign-up', open, (request, reply) =>
    sendPage(request, reply, signUpPage(lookOf(request), nextOf(request.query.next))),
  )

  app.get<Asked>('/reset', open, (request, reply) => {
    const { token, step } = request.query
    const page = token !== undefined || step === choosing ? choosePassword : askForReset
    return sendPage(request, reply, page(lookOf(request)), unkept)
  })

  app.get<Asked>('/verify-email', open, (request, reply) =>
    sendPage(request, reply, verifyEmailPage(lookOf(request)), unkept),
  )

  app.get<Asked>('/invitations/accept', open, async (request, reply) =>
    sendPage(request, reply, invitationPage(lookOf(request), await whoIs(request)), unkept),
  )

  app.get<Asked>('/account', open, async (request, reply) => {
    const look = lookOf(request)
    const user = await whoIs(request)
    if (!user) {
      const signIn = linkTo(look, '/sign-in', { next: linkTo(look, '/account') })
      return reply.header('cache-control', unkept).redirect(signIn, 302)
    }
    const hasApps = app.hasRoute({ method: 'GET', url: '/api/users/me/connected-apps' })
    return sendPage(request, reply, accountPage(look, { user, hasApps }), unkept)
  })
}

/** For pages that somebody's token leads to, or that show who somebody is: no copy stays anywhere. */
const unkept = 'no-store'

function sendPage(request: FastifyRequest<Asked>, reply: FastifyReply, text: string, keep?: string) {
  const lang = languageOf(request.query.lang, request.headers['accept-language'])
  reply.header('content-language', lang).header('vary', 'accept-language')
  if (keep === unkept) reply.header('referrer-policy', 'no-referrer') // not even to our own files
  return send(request, reply, published('html', text), keep)
}
