import { onTestFinished } from 'vitest'
import { mailbox } from '../../fakes/smtp.ts'
import { receiver } from '../../fakes/webhook-receiver.ts'

/** How the receivers of an organization answer at the moment. Fickle ones refuse every third webhook, in the middle of lists. */
export const moods = ['well', 'well', 'unavailable', 'refusing', 'fickle', 'fickle', 'slow'] as const
export type Mood = (typeof moods)[number]

const slowMs = 700
const statusOf = { well: 200, slow: 200, unavailable: 500, refusing: 400 }
const refusals = { unavailable: [451, 'Try again later'], refusing: [550, 'No such mailbox'] } as const

export type Post = { id: string; body: string; mark: string; status: number }
export type Letter = { id: string; mark: string }

/** A web server and a mail server for all organizations, each of which has a mood of its own. */
export async function startReceivers() {
  const moodOf = new Map<string, Mood>()
  const posts: Post[] = []
  const web = await receiver((response, { headers, path, body }) => {
    const mood = moodOf.get(path.split('/').at(-1) ?? '') ?? 'well'
    const status = mood === 'fickle' ? (posts.length % 3 === 0 ? 400 : 200) : statusOf[mood]
    posts.push({ id: String(headers['webhook-id']), body, mark: JSON.parse(body).mark, status })
    setTimeout(() => response.writeHead(status).end(), mood === 'slow' ? slowMs : 0)
  })
  const mail = await mailbox({
    onRcptTo({ address }, _, done) {
      const mood = moodOf.get(address.split('@')[0] ?? '') ?? 'well'
      const [responseCode, text] = mood in refusals ? refusals[mood as keyof typeof refusals] : []
      if (responseCode) done(Object.assign(new Error(text), { responseCode }))
      else setTimeout(done, mood === 'slow' ? slowMs : 0)
    },
  })
  onTestFinished(() => mail.close())
  return {
    moodOf,
    posts,
    env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=off`, MAIL_FROM: 'books@kontor.example' },
    targets: (name: string) => ({ url: `${web.url}/${name}`, address: `${name}@example.test` }),
    letters: (): Letter[] =>
      mail.received.map(({ raw }) => ({
        id: String(/^message-id: (.*)$/im.exec(raw.toString())?.[1]),
        mark: markOf(raw.toString()),
      })),
  }
}
export type Receivers = Awaited<ReturnType<typeof startReceivers>>

/** The mark in the text of a mail, which may be encoded as quoted-printable. */
function markOf(raw: string): string {
  const text = raw.replace(/=\r?\n/g, '')
  return /mark\|([^|]*)\|/.exec(text)?.[1] ?? ''
}
