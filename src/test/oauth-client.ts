import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { type App, createApp } from '../program/app.ts'
import { onFreePort } from '../program/start/port.ts'
import { type Someone, testConfig, theDatabase } from './world.ts'

/** Another API on a real port, on the database of world.ts. */
export function listening(more: Record<string, string> = {}): { url: string; app: () => App } {
  let app: App
  const api = { url: '', app: () => app }
  beforeAll(async () => {
    const config = await onFreePort(testConfig({ PORT: '0', ...more }))
    app = await createApp(config, theDatabase())
    await app.server.listen({ port: config.port, host: config.host })
    api.url = config.url
  })
  afterAll(() => app?.close())
  return api
}

type ConsentAnswer = { approve: boolean; organizationIds?: (string | undefined)[] }

/**
 * The browser of a person in the OAuth flow: it opens the app's request, answers the consent page and is redirected to
 * the app. It stores cookies as browsers do; the session is that of `someone`.
 */
export class Browser {
  readonly someone: Someone
  readonly cookies = new Map<string, string>()

  constructor(someone: Someone) {
    this.someone = someone
  }

  async open(url: string | URL, init: { method?: string; body?: string; headers?: Record<string, string> } = {}) {
    const own = 'cookie' in this.someone.credentials ? [this.someone.credentials.cookie] : []
    const cookie = [...own, ...[...this.cookies].map(([name, value]) => `${name}=${value}`)].join('; ')
    const reply = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie && { cookie }) },
    })
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return reply
  }

  /** The consent page that an app's request leads to. */
  async ask(authorizationUrl: string | URL): Promise<URL> {
    const reply = await this.open(authorizationUrl)
    const location = reply.headers.get('location')
    if (reply.status !== 303 || !location) throw new Error(`No consent page: ${reply.status} ${await reply.text()}`)
    return new URL(location, authorizationUrl)
  }

  answer(consent: URL, { approve, organizationIds = [this.someone.organizationId] }: ConsentAnswer) {
    const body = JSON.stringify(approve ? { approve, organizationIds } : { approve })
    const headers = { 'content-type': 'application/json', origin: consent.origin, 'sec-fetch-site': 'same-origin' }
    return this.open(consent, { method: 'POST', body, headers })
  }

  /** The address that the app is called back at, with a code or a refusal. */
  async authorize(authorizationUrl: string | URL, answer: ConsentAnswer = { approve: true }): Promise<URL> {
    const consent = await this.ask(authorizationUrl)
    const answered = await this.answer(consent, answer)
    const reply = (await answered.json()) as { next: string }
    if (answered.status !== 200) throw new Error(`The answer was refused: ${answered.status} ${JSON.stringify(reply)}`)
    const back = await this.open(new URL(reply.next, consent))
    return new URL(back.headers.get('location') ?? '', authorizationUrl)
  }
}

/** An OAuth client whose requests can be altered: every parameter can be left out or replaced. */
export class TestApp {
  readonly url: string
  readonly id: string
  readonly secret: string | undefined
  readonly verifier = randomBytes(32).toString('base64url')
  readonly redirectUri: string

  constructor(
    url: string,
    { id, secret, redirectUri }: { id: string; secret?: string | undefined; redirectUri: string },
  ) {
    this.url = url
    this.id = id
    this.secret = secret
    this.redirectUri = redirectUri
  }

  static async registered(url: string, more: Record<string, unknown> = {}): Promise<TestApp> {
    const redirectUri = 'https://lens.example/callback'
    const reply = await register(url, {
      client_name: 'Ledger Lens',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      ...more,
    })
    const { client_id: id, client_secret: secret, redirect_uris } = (await reply.json()) as Registration
    return new TestApp(url, { id, secret, redirectUri: redirect_uris[0] ?? '' })
  }

  request(more: Changes = {}): URL {
    const challenge = createHash('sha256').update(this.verifier).digest('base64url')
    return withChanges(new URL(`${this.url}/oauth/authorize`), {
      client_id: this.id,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      scope: 'customers:read customers:write',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 'a state',
      ...more,
    })
  }

  /** An authorization code that the person has approved. */
  async code(someone: Someone, more: Changes & { organizationIds?: string[] } = {}): Promise<string> {
    const { organizationIds, ...changes } = more
    const back = await new Browser(someone).authorize(this.request(changes), {
      approve: true,
      ...(organizationIds && { organizationIds }),
    })
    const code = back.searchParams.get('code')
    if (!code) throw new Error(`No code: ${back}`)
    return code
  }

  post(
    path: '/oauth/token' | '/oauth/revoke',
    fields: Changes,
    headers: Record<string, string> = {},
  ): Promise<TokenAnswer> {
    return answerOf(
      fetch(this.url + path, {
        method: 'POST',
        headers: { accept: 'application/json', ...headers },
        body: new URLSearchParams(Object.entries({ client_id: this.id, ...fields }).filter(isGiven)),
      }),
    )
  }

  exchange(code: string, more: Changes = {}, headers?: Record<string, string>): Promise<TokenAnswer> {
    const fields = { code, redirect_uri: this.redirectUri, code_verifier: this.verifier, ...more }
    return this.post('/oauth/token', { grant_type: 'authorization_code', ...fields }, headers)
  }

  refresh(token: string | undefined, more: Changes = {}): Promise<TokenAnswer> {
    return this.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...more })
  }

  /** The first tokens, after a person has approved. */
  async connected(someone: Someone, more: Changes & { organizationIds?: string[] } = {}): Promise<TokenAnswer> {
    return this.exchange(await this.code(someone, more), more.resource ? { resource: more.resource } : {})
  }
}

type Changes = Record<string, string | undefined | string[]>
type Registration = { client_id: string; client_secret?: string; redirect_uris: string[] }
/** The answer of the token endpoint: tokens or an error. */
export type TokenAnswer = {
  status: number
  access_token: string
  refresh_token?: string
  scope?: string
  error?: string
  error_description?: string
}

export const register = (url: string, described: unknown) =>
  fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(described),
  })

const answerOf = async (answering: Promise<Response>): Promise<TokenAnswer> => {
  const answer = await answering
  const text = await answer.text()
  return { status: answer.status, ...(text ? JSON.parse(text) : {}) }
}

const isGiven = (field: [string, unknown]): field is [string, string] => typeof field[1] === 'string'

function withChanges(url: URL, parameters: Changes): URL {
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of [value].flat()) if (each !== undefined) url.searchParams.append(name, each)
  }
  return url
}
