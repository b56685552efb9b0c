import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: number
  /** 2 for a failure. */
  status: number
  attributes: Record<string, string | number>
}

type Value = { stringValue?: string; intValue?: number }
type Sent = Omit<CollectedSpan, 'status' | 'attributes'> & {
  status?: { code?: number }
  attributes?: { key: string; value: Value }[]
}
type Export = { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] }

/** An OpenTelemetry collector that accepts OTLP/HTTP in JSON and stores the spans. */
export async function startCollector({ status = 200 } = {}) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bodies.push(`${request.url} ${JSON.stringify(request.headers)}\n${Buffer.concat(chunks)}`)
    response.writeHead(request.url === '/v1/traces' ? status : 404, { 'content-type': 'application/json' }).end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join('\n'),
    spans: (): CollectedSpan[] => bodies.flatMap((body) => spansOf(JSON.parse(body.slice(body.indexOf('\n'))))),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const spansOf = ({ resourceSpans }: Export): CollectedSpan[] =>
  resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ attributes = [], status, ...span }) => ({
      ...span,
      parentSpanId: span.parentSpanId || undefined,
      status: status?.code ?? 0,
      attributes: Object.fromEntries(
        attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']),
      ),
    }))
