import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, expect, test } from 'vitest'
import { member, theApp, withKey } from '../test/world.ts'

let url: string
beforeAll(async () => {
  url = await theApp().server.listen({ host: '127.0.0.1', port: 0 })
})

test('try', async () => {
  const amy = await withKey(await member('OWNER'))
  const client = new Client({ name: 'test', version: '1' }, {versionNegotiation: {mode: 'auto'}})
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: amy.credentials } }))
  console.log(client.getNegotiatedProtocolVersion?.())
  const { tools } = await client.listTools()
  console.log(tools.length, JSON.stringify(tools).length, tools.map(t => t.title))
  console.log(JSON.stringify(await client.callTool({ name: 'customers_list', arguments: {} })))
  console.log(JSON.stringify(await client.callTool({ name: 'customers.get', arguments: {} })))
  console.log(JSON.stringify(await client.callTool({ name: 'search_tools', arguments: {query: 'create customer', limit: 2} })))
})
