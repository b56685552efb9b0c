import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '../../core/observe/metrics.ts'
import type { Span, Tracer } from '../../core/observe/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The request as the trace tells it; undefined when nobody traces. */
    span: Span | undefined
  }
}

/** Counts and times every request until its answer has gone, or its caller has. */
export function measureRequests(
  app: FastifyInstance,
  { meter, tracer }: { meter: Metrics; tracer?: Tracer | undefined },
) {
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const operation = measuredName(request)
    if (tracer) request.span = begin(tracer, operation, request)
    const left = meter.began()
    // Not onResponse: that is not called for a caller who hangs up.
    reply.raw.once('close', () => {
      const status = reply.raw.writableEnded ? reply.statusCode : 'aborted'
      left()
      meter.answered({ operation, status, seconds: reply.elapsedTime / 1000 })
      request.span?.note({ 'http.response.status_code': status })
      request.span?.end({ failed: reply.statusCode >= 500 })
    })
    done()
  })
}

function begin(tracer: Tracer, operation: string, request: FastifyRequest): Span {
  const { url = 'none' } = request.routeOptions
  return tracer.begin({
    name: operation,
    kind: 'request',
    parent: request.headers.traceparent as string | undefined,
    facts: { 'kontor.operation': operation, 'http.request.method': request.method, 'http.route': url, 'kontor.request_id': request.id },
  }) // biome-ignore format: one line a subject
}

/** The operation, or the route where there is none: of both there is a fixed number, whatever path is asked for. */
function measuredName({ routeOptions: { url, config }, method }: FastifyRequest): string {
  if (config.operation) return config.operation.name
  if (url?.startsWith('/assets/')) return 'assets' // their names change with their content
  return url ? `${method} ${url}` : 'none'
}
