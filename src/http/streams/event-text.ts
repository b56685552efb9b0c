/** The answer of an operation with `streams`. An event without an id belongs to the next one that has one: both are sent again. */
export type Page = {
  events: { id: number | string | null; event: string; data: unknown }[]
  lastEventId: number | string
  hasMore: boolean
}

/** Tells clients to wait a second before they connect again: the process may be restarting. */
export const openingText = 'retry: 1000\n\n'

/** Nothing, for proxies and clients that give up on a silent connection. */
export const keepAliveText = ': keep-alive\n\n'

/** Events as text/event-stream. JSON has no line breaks, so each has one line of data. */
export const eventText = ({ events }: Page): string =>
  events.map(({ id, event, data }) => `${idLine(id)}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('')

const idLine = (id: number | string | null) => (id === null ? '' : `id: ${id}\n`)

/** Why a stream ends, if neither the client nor the process ended it. */
export const errorText = ({ code, message }: { code: string; message: string }): string =>
  `event: error\ndata: ${JSON.stringify({ code, message })}\n\n`
