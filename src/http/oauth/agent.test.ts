import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { Browser, listening } from '../../test/oauth-client.ts'
import { member, type Someone } from '../../test/world.ts'

/** An agent that is given one address and nothing else. */

const place = listening()

/** What an agent keeps, and the browser of the person it works for. */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:9/callback'
  readonly clientMetadata = {
    client_name: 'Agent',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  }
  readonly #person: Someone
  readonly #kept = new Map<string, unknown>()
  back: URL | undefined

  constructor(person: Someone) {
    this.#person = person
  }

  clientInformation = () => this.#kept.get('client') as never
  saveClientInformation = (client: unknown) => void this.#kept.set('client', client)
  tokens = () => this.#kept.get('tokens') as never
  saveTokens = (tokens: unknown) => void this.#kept.set('tokens', tokens)
  codeVerifier = () => String(this.#kept.get('verifier'))
  saveCodeVerifier = (verifier: string) => void this.#kept.set('verifier', verifier)

  discoveryState = () => this.#kept.get('discovered') as never
  saveDiscoveryState = (discovered: unknown) => void this.#kept.set('discovered', discovered)

  async redirectToAuthorization(url: URL) {
    this.back = await new Browser(this.#person).authorize(url)
  }
}

test('an agent goes from nothing to a tool call by discovery alone (THR-22)', async () => {
  const amy = await member('OWNER')
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const memory = new Memory(amy)
  const address = new URL(`${place.url}/mcp`)
  const transport = () => new StreamableHTTPClientTransport(address, { authProvider: memory })

  const first = transport()
  await expect(new Client({ name: 'agent', version: '1' }).connect(first)).rejects.toBeInstanceOf(UnauthorizedError)
  await first.finishAuth(memory.back?.searchParams ?? new URLSearchParams())

  const agent = new Client({ name: 'agent', version: '1' })
  await agent.connect(transport())
  const { structuredContent } = await agent.callTool({ name: 'customers_list', arguments: {} })
  expect(structuredContent).toMatchObject({ customers: [{ name: 'Globex' }] })
  await agent.close()
  expect((await amy.call('users_connected_apps')).apps).toMatchObject([{ clientName: 'Agent' }])
})
