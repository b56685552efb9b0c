import { Failure } from '../define/failure.ts'

/** What is told about a piece of work: names and numbers of ours, never what a person sent. */
export type SpanAttributes = Record<string, string | number>

/** A piece of work that is being timed. */
export type Span = {
  /** Its place in the trace, as W3C writes it; what the work orders continues from here. */
  traceparent: string
  note(facts: SpanAttributes): void
  /** `failed`: by a fault of ours. */
  end(more?: { failed: boolean }): void
}

type Beginning = {
  name: string
  /** A request from outside, a part of one, or a job. */
  kind: 'request' | 'part' | 'job'
  /** The traceparent of what asked for it. What is none is taken for absent. */
  parent?: string | undefined
  facts: SpanAttributes
}

/** Where timed work is told to; undefined wherever nobody wants to know. */
export type Tracer = { begin(beginning: Beginning): Span; close(): Promise<void> }

/** Does work under a span. Without a tracer it just does it, and the beginning is not even made. */
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
    failed = !(error instanceof Failure && error.status < 500) // a refusal is no fault
    throw error
  } finally {
    span.end({ failed })
  }
}

/** The trace and the span that a traceparent names, if it is one. What else it says (sampling) is not a caller's to say. */
export function readTraceparent(text: unknown): { traceId: string; spanId: string } | undefined {
  const found = typeof text === 'string' ? /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(text) : null
  const [, traceId = '', spanId = ''] = found ?? []
  return found && !isZero(traceId) && !isZero(spanId) ? { traceId, spanId } : undefined
}

const isZero = (id: string) => /^0+$/.test(id)
