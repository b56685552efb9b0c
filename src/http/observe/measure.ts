import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '../../core/observe/metrics.ts'
import type { Span, Tracer } from '../../core/observe/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request; undefined when tracing is off. */
    span: Span | undefined
    /** Counts the request as answered. Called when the connection closes; earlier for a stream that stays open. */
    answered: (status: number | 'aborted') => void
  }
}

/** Counts and times every request until its answer is sent or the caller disconnects. */
export function measureRequests(
  app: FastifyInstance,
  { meter, tracer }: { meter: Metrics; tracer?: Tracer | undefined },
) {
  app.decorateRequest('span', undefined)
  app.decorateRequest('answered', null as never)
  app.addHook('onRequest', (request, reply, done) => {
    const operation = metricName(request)
    if (tracer) request.span = startSpan(tracer, operation, request)
    const finished = meter.began()
    let isAnswered = false
    request.answered = (status) => {
      if (isAnswered) return
      isAnswered = true
      finished()
      meter.answered({ operation, status, seconds: reply.elapsedTime / 1000 })
      request.span?.note({ 'http.response.status_code': status })
      request.span?.end({ failed: reply.statusCode >= 500 })
    }
    // `onResponse` is not called when the caller disconnects, `close` always is.
    reply.raw.once('close', () => request.answered(reply.raw.writableEnded ? reply.statusCode : 'aborted'))
    done()
  })
}

function startSpan(tracer: Tracer, operation: string, request: FastifyRequest): Span {
  const { url = 'none' } = request.routeOptions
  return tracer.begin({
    name: operation,
    kind: 'request',
    parent: request.headers.traceparent as string | undefined,
    facts: { 'kontor.operation': operation, 'http.request.method': request.method, 'http.route': url, 'kontor.request_id': request.id },
  }) // biome-ignore format: one line a subject
}

/** The operation, or the route if there is none. Both are a fixed set, so unknown paths add no labels to the metrics. */
function metricName({ routeOptions: { url, config }, method }: FastifyRequest): string {
  if (config.operation) return config.operation.name
  if (url?.startsWith('/assets/')) return 'assets' // their names change with their content
  return url ? `${method} ${url}` : 'none'
}
