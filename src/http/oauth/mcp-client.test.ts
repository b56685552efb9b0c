import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { Browser, listening } from '../../test/apps.ts'
import { member, type Someone } from '../../test/world.ts'

/** An MCP client that knows only the URL of the endpoint. */

const server = listening()

/** The storage of an agent and the browser of its person. */
class AgentStorage implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:9/callback'
  readonly clientMetadata = {
    client_name: 'Agent',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  }
  readonly #person: Someone
  readonly #values = new Map<string, unknown>()
  callback: URL | undefined

  constructor(person: Someone) {
    this.#person = person
  }

  clientInformation = () => this.#values.get('client') as never
  saveClientInformation = (client: unknown) => void this.#values.set('client', client)
  tokens = () => this.#values.get('tokens') as never
  saveTokens = (tokens: unknown) => void this.#values.set('tokens', tokens)
  codeVerifier = () => String(this.#values.get('verifier'))
  saveCodeVerifier = (verifier: string) => void this.#values.set('verifier', verifier)

  discoveryState = () => this.#values.get('discovered') as never
  saveDiscoveryState = (discovered: unknown) => void this.#values.set('discovered', discovered)

  async redirectToAuthorization(url: URL) {
    this.callback = await new Browser(this.#person).authorize(url)
  }
}

test('an agent gets from the URL to a tool call by discovery (THR-22)', async () => {
  const amy = await member('OWNER')
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const storage = new AgentStorage(amy)
  const address = new URL(`${server.url}/mcp`)
  const transport = () => new StreamableHTTPClientTransport(address, { authProvider: storage })

  const first = transport()
  await expect(new Client({ name: 'agent', version: '1' }).connect(first)).rejects.toBeInstanceOf(UnauthorizedError)
  await first.finishAuth(storage.callback?.searchParams ?? new URLSearchParams())

  const agent = new Client({ name: 'agent', version: '1' })
  await agent.connect(transport())
  const { structuredContent } = await agent.callTool({ name: 'customers_list', arguments: {} })
  expect(structuredContent).toMatchObject({ customers: [{ name: 'Globex' }] })
  await agent.close()
  expect((await amy.call('users_connected_apps')).apps).toMatchObject([{ clientName: 'Agent' }])
})
