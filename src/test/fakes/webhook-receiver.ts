import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Heard = { headers: IncomingHttpHeaders; path: string; body: string }

/** A server for webhooks: stores the requests and answers as given; it is closed after the test. */
export async function receiver(
  answer: (response: ServerResponse, heard: Heard) => void = (response) => response.end(),
) {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const said = { headers: request.headers, path: request.url ?? '', body: Buffer.concat(chunks).toString() }
    heard.push(said)
    answer(response, said)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { heard, port, url: `http://127.0.0.1:${port}/hook` }
}
