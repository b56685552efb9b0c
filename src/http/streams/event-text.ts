/** The answer of an operation with `streams`. */
export type Page = {
  events: { id: number; event: string; data: unknown }[]
  lastEventId: number
  hasMore: boolean
}

/** Tells clients to wait a second before they connect again: the process may be restarting. */
export const openingText = 'retry: 1000\n\n'

/** Nothing, for proxies and clients that give up on a silent connection. */
export const keepAliveText = ': keep-alive\n\n'

/** Events as text/event-stream. JSON has no line breaks, so each has one line of data. */
export const eventText = ({ events }: Page): string =>
  events.map(({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('')

/** Why a stream ends, if neither the client nor the process ended it. */
export const errorText = ({ code, message }: { code: string; message: string }): string =>
  `event: error\ndata: ${JSON.stringify({ code, message })}\n\n`
