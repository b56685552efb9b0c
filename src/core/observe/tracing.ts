import { Failure } from '../define/failure.ts'

/** Attributes of a span: names and numbers of the product, never data that a person sent. */
export type SpanAttributes = Record<string, string | number>

/** A piece of work that is being timed. */
export type Span = {
  /** Its W3C traceparent; jobs that the work enqueues continue from here. */
  traceparent: string
  note(facts: SpanAttributes): void
  /** `failed`: because of an error of the product. */
  end(more?: { failed: boolean }): void
}

type Beginning = {
  name: string
  /** A request from outside, a part of one, or a job. */
  kind: 'request' | 'part' | 'job'
  /** The traceparent of the caller. An invalid one is ignored. */
  parent?: string | undefined
  facts: SpanAttributes
}

/** Receives spans; undefined if tracing is not configured. */
export type Tracer = { begin(beginning: Beginning): Span; close(): Promise<void> }

/** Runs work in a span. Without a tracer it just runs the work and does not call `beginning`. */
export function traced<T>(
  tracer: Tracer | undefined,
  beginning: () => Beginning,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  return tracer ? timed(tracer.begin(beginning()), work) : work()
}

async function timed<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  let failed = false
  try {
    return await work(span)
  } catch (error) {
    failed = !(error instanceof Failure && error.status < 500) // a refusal is not an error of the product
    throw error
  } finally {
    span.end({ failed })
  }
}

/** The trace and span ids of a valid traceparent. Its sampling flag is ignored: callers do not decide it. */
export function readTraceparent(text: unknown): { traceId: string; spanId: string } | undefined {
  const found = typeof text === 'string' ? /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(text) : null
  const [, traceId = '', spanId = ''] = found ?? []
  return found && !isZero(traceId) && !isZero(spanId) ? { traceId, spanId } : undefined
}

const isZero = (id: string) => /^0+$/.test(id)
