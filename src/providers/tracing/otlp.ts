import { setTimeout as sleep } from 'node:timers/promises'
import { readTraceparent, type Span, type Tracer } from '../../core/observe/tracing.ts'

/** How long the end of the process waits for a collector that does not answer. */
const leavingMs = 3_000

/**
 * Tells an OpenTelemetry collector, which the operator alone chooses, of the work that is done; undefined without one.
 * Its packages are loaded only then. Nothing is registered globally: a span is begun with the parent it is given.
 */
export async function openTracer(
  endpoint: string | undefined,
  alarm: (sentence: string) => void,
): Promise<Tracer | undefined> {
  if (endpoint === undefined) return undefined
  const [{ ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace }, sdk, resources, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const provider = new sdk.BasicTracerProvider({
    // A caller's traceparent says which trace it is, not whether we look: the collector is where traces are thinned out.
    sampler: new sdk.AlwaysOnSampler(),
    resource: resources
      .resourceFromAttributes({ 'service.name': 'kontor' })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })), // OTEL_SERVICE_NAME and the like
    spanProcessors: [new sdk.BatchSpanProcessor(outspoken(exporter, alarm))],
  })
  const tracer = provider.getTracer('kontor')
  const kinds = { request: SpanKind.SERVER, part: SpanKind.INTERNAL, job: SpanKind.CONSUMER }

  return {
    begin({ name, kind, parent, facts }): Span {
      const from = readTraceparent(parent)
      const place = from
        ? trace.setSpanContext(ROOT_CONTEXT, { ...from, traceFlags: TraceFlags.SAMPLED, isRemote: true })
        : ROOT_CONTEXT
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: facts }, place)
      const { traceId, spanId } = span.spanContext()
      return {
        traceparent: `00-${traceId}-${spanId}-01`,
        note: (more) => void span.setAttributes(more),
        end({ failed } = { failed: false }) {
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR }) // without a message: it could quote what a person sent
          span.end()
        },
      }
    },
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), sleep(leavingMs, undefined, { ref: false })])
    },
  }
}

type Exporter = import('@opentelemetry/sdk-trace-node').SpanExporter

/** The exporter keeps silent about a collector that it cannot reach; this says so, once until it works again. */
function outspoken(exporter: Exporter, alarm: (sentence: string) => void): Exporter {
  let lost = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed && !lost) alarm('Traces cannot be delivered to OTEL_EXPORTER_OTLP_ENDPOINT; they are dropped.')
        lost = failed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
