import { setTimeout as sleep } from 'node:timers/promises'

/** An event as a client of a stream receives it. */
export type ReceivedEvent = { id: number | undefined; event: string; data: Record<string, unknown> }

/** The events in text/event-stream. Blocks without data, such as comments, are none. */
export const eventsIn = (text: string): ReceivedEvent[] => text.split('\n\n').flatMap(eventIn)

function eventIn(block: string): ReceivedEvent[] {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)] as const
    }),
  )
  const [id, event = 'message', data] = [fields.get('id'), fields.get('event'), fields.get('data')]
  return data === undefined ? [] : [{ id: id === undefined ? undefined : Number(id), event, data: JSON.parse(data) }]
}

/** A stream that is read until it ends or `close` is called. */
export type OpenStream = {
  status: number
  headers: Headers
  events: ReceivedEvent[]
  /** All that was received, with comments. */
  text(): string
  /** The body of a refusal. */
  refusal: unknown
  ended: Promise<void>
  close(): Promise<void>
}

export async function openStream(url: string, headers: Record<string, string>): Promise<OpenStream> {
  const closing = new AbortController()
  const answer = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: closing.signal })
  const events: ReceivedEvent[] = []
  let all = ''
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const refusal = isStream ? undefined : await answer.json()
  const read = async () => {
    let rest = ''
    for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      all += text
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      events.push(...blocks.flatMap(eventIn))
    }
  }
  const ended = isStream ? read().catch(() => {}) : Promise.resolve() // closed by this side, or the process is gone
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    refusal,
    text: () => all,
    ended,
    async close() {
      closing.abort()
      await ended
    },
  }
}

/** Resolves to whether the stream ends within this time. */
export const endsWithin = ({ ended }: OpenStream, ms: number) =>
  Promise.race([ended.then(() => true), sleep(ms, false, { ref: false })])
