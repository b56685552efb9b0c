import type { KeyObject } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OAuthMailProvider } from '../../core/outside/mail-oauth.ts'
import type { SimulatedMailbox } from '../../core/outside/simulated-mailbox.ts'
import { clientId, issuerOf, paths, simulatorPath } from './clients.ts'
import { createGrants } from './grants.ts'
import { authorizePage, refusedPage, style } from './page.ts'

const open = { config: { open: true } } as const

type Settings = {
  /** The public address of the installation. */
  url: string
  key: KeyObject
  /** The accounts that a person can choose. */
  accounts: readonly Pick<SimulatedMailbox, 'address' | 'name'>[]
  now?: () => Date
}

/**
 * The sign-in of Google and Microsoft, for local mode: a page to choose an account and allow access, the token endpoint
 * and the keys. It speaks the same protocol, and nothing leaves the machine.
 */
export function mountMailProvider(app: FastifyInstance, { url, key, accounts, now = () => new Date() }: Settings) {
  const grants = createGrants({ url, key, now })
  app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, text, done) =>
      done(null, new URLSearchParams(text.toString())),
    )
    scope.get(`${simulatorPath}/style.css`, open, (_, reply) => reply.type('text/css; charset=utf-8').send(style))
    for (const provider of ['GMAIL', 'OUTLOOK'] as const) {
      const at = (path: string) => `${simulatorPath}${path}`
      const { authorize, token, keys } = paths[provider]

      scope.get(at(authorize), open, (request, reply) => {
        const asked = readRequest(url, provider, new URLSearchParams(request.url.split('?')[1]))
        if (typeof asked === 'string') return sendPage(reply.code(400), refusedPage(asked))
        return sendPage(reply, authorizePage({ provider, accounts, fields: asked.fields, path: at(authorize) }))
      })

      scope.post(at(authorize), open, (request, reply) => {
        const form = formOf(request)
        const asked = readRequest(url, provider, form)
        if (typeof asked === 'string') return sendPage(reply.code(400), refusedPage(asked))
        const back = new URL(asked.redirectUri)
        back.searchParams.set('state', asked.state)
        back.searchParams.set('iss', issuerOf(provider, url))
        const account = accounts.find(({ address }) => address === form.get('account'))
        if (form.get('answer') === 'allow' && account)
          back.searchParams.set('code', grants.consent(provider, account.address, asked))
        else back.searchParams.set('error', 'access_denied')
        return reply.header('cache-control', 'no-store').redirect(back.href, 303)
      })

      scope.post(at(token), open, async (request, reply) => {
        const { status, body } = await grants.redeem(provider, formOf(request))
        return reply.code(status).header('cache-control', 'no-store').send(body)
      })

      scope.get(at(keys), open, () => grants.keys())
    }
    scope.post(`${simulatorPath}/revoke`, open, (request, reply) => {
      grants.revoke(formOf(request).get('token') ?? '')
      return reply.send({})
    })
  })
}

const formOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : new URLSearchParams())

type AskedFor = {
  redirectUri: string
  state: string
  challenge: string
  nonce: string | undefined
  fields: [string, string][]
}

/** What the installation asks for; a sentence if the request is not one of this installation. */
function readRequest(url: string, provider: OAuthMailProvider, given: URLSearchParams): AskedFor | string {
  const callback = `${url}/api/expenses/email-connect/${provider.toLowerCase()}/callback`
  const needed = {
    client_id: clientId,
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: callback,
  }
  for (const [name, value] of Object.entries(needed))
    if (given.get(name) !== value) return `The request needs ${name} ${value}.`
  const [state, challenge] = [given.get('state'), given.get('code_challenge')]
  if (!state || !challenge) return 'The request needs a state and a code_challenge.'
  const names = [...Object.keys(needed), 'state', 'code_challenge', 'nonce']
  const fields = names.map((name): [string, string] => [name, given.get(name) ?? ''])
  return { redirectUri: callback, state, challenge, nonce: given.get('nonce') ?? undefined, fields }
}

const sendPage = (reply: FastifyReply, text: string) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(text)
