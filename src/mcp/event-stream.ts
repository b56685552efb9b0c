import type { Message } from './standard-headers.ts'

/** Yields the messages of an answer from /mcp as they arrive: from JSON, or from a stream of events; none for a notification. */
export async function* readMessages(answer: Response): AsyncGenerator<Message> {
  const type = answer.headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) {
    for (const message of [JSON.parse(await answer.text())].flat() as Message[]) yield message
    return
  }
  if (!type.startsWith('text/event-stream') || !answer.body) return void (await answer.body?.cancel())
  let rest = ''
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split(/\r?\n\r?\n/)
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = eventData(event)
      if (data) yield JSON.parse(data) as Message
    }
  }
}

const eventData = (event: string) =>
  event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
    .join('\n')
