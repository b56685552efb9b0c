import { once } from 'node:events'
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** An event as a client of a stream receives it. */
export type ReceivedEvent = { id: number | string | undefined; event: string; data: Record<string, unknown> }

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
  return data === undefined ? [] : [{ id: id && /^\d+$/.test(id) ? Number(id) : id, event, data: JSON.parse(data) }]
}

/** A stream that is read until it ends or `close` is called. */
export type OpenStream = {
  status: number
  headers: IncomingHttpHeaders
  events: ReceivedEvent[]
  /** All that was received, with comments; of a refusal, its body. */
  text(): string
  ended: Promise<void>
  close(): Promise<void>
}

/** Opens a stream on a connection of its own, which is closed with it. */
export async function openStream(url: string, headers: Record<string, string>): Promise<OpenStream> {
  const request = get(url, { agent: false, headers: { accept: 'text/event-stream', ...headers } })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const events: ReceivedEvent[] = []
  let all = ''
  let rest = ''
  const ended = new Promise<void>((resolve) => answer.once('close', resolve))
  request.on('error', () => {}) // closed by this side, or the process is gone
  answer.on('error', () => {})
  answer.setEncoding('utf8').on('data', (text: string) => {
    all += text
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    events.push(...blocks.flatMap(eventIn))
  })
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    events,
    text: () => all,
    ended,
    async close() {
      request.destroy()
      await ended
    },
  }
}

/** Resolves to whether the stream ends within this time. */
export const endsWithin = ({ ended }: OpenStream, ms: number) =>
  Promise.race([ended.then(() => true), sleep(ms, false, { ref: false })])
