import { setTimeout as sleep } from 'node:timers/promises'
import { readTraceparent, type Span, type Tracer } from '../../core/observe/tracing.ts'

/** How long the process waits at its end for a collector that does not answer. */
const shutdownMs = 3_000

/**
 * Sends spans to the OpenTelemetry collector that the operator has configured; undefined without one. The packages are
 * loaded only if needed. Nothing is registered globally: each span is started with an explicit parent.
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
    // The traceparent of a caller identifies the trace but does not decide sampling: the collector does.
    sampler: new sdk.AlwaysOnSampler(),
    resource: resources
      .resourceFromAttributes({ 'service.name': 'kontor' })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })), // OTEL_SERVICE_NAME and the like
    spanProcessors: [new sdk.BatchSpanProcessor(withAlarm(exporter, alarm))],
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
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR }) // without a message, which could contain user data
          span.end()
        },
      }
    },
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), sleep(shutdownMs, undefined, { ref: false })])
    },
  }
}

type Exporter = import('@opentelemetry/sdk-trace-node').SpanExporter

/** Reports a collector that cannot be reached, once until it works again. The exporter itself reports nothing. */
function withAlarm(exporter: Exporter, alarm: (sentence: string) => void): Exporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed && !isFailing) alarm('Traces cannot be delivered to OTEL_EXPORTER_OTLP_ENDPOINT; they are dropped.')
        isFailing = failed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
